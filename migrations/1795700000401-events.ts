import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions of the publisher, which serves all workspaces. */
const PUBLISHING = `current_setting('app.publishing', true) = 'on'`

const NOW = `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The outbox of events. Triggers fill it in the transaction of the change; the publisher empties it. */
export class Events1795700000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_outbox (
        id bigint generated always as identity primary key,
        -- Written by triggers only, so that a foreign key would check what they have just read.
        workspace_id uuid not null default ${TENANT},
        -- The brain that the event belongs to; null for the workspace.
        brain_id uuid,
        event_id uuid not null default gen_random_uuid(),
        type text not null,
        -- The fields of the event beside id, type and time.
        subject json not null,
        at text not null default ${NOW},
        created_at timestamptz not null default now()
      );

      -- Wakes a publisher that sleeps, which holds the lock. Transactions that notify commit one after the other, so
      -- that others only share the lock: the publisher does not sleep before they have ended.
      create function wake_publisher() returns trigger language plpgsql as $$
      begin
        if not pg_try_advisory_xact_lock_shared(5702111403) then
          perform pg_notify('ganglion_events', '');
        end if;
        return null;
      end $$;
      create trigger event_outbox_inserted after insert on event_outbox
        for each statement execute function wake_publisher();
    `)
    await runner.query(RESOURCE_EVENTS)
    await runner.query(JOB_EVENTS)
    await runner.query(INTERVENTION_EVENTS)
    await enableTenantPolicy(runner, ['event_outbox'])
    await runner.query(`
      create policy publishing_select on event_outbox for select using (${PUBLISHING});
      create policy publishing_delete on event_outbox for delete using (${PUBLISHING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger interventions_announced on interventions;
      drop trigger jobs_status_announced on jobs;
      drop trigger jobs_inserted_announced on jobs;
      drop trigger search_state_announced on search_state;
      drop trigger resources_updated_announced on resources;
      drop trigger resources_inserted_announced on resources;
      drop table event_outbox;
      drop function announce_intervention();
      drop function announce_job_status();
      drop function announce_job_start();
      drop function announce_indexing();
      drop function announce_resource_changes();
      drop function announce_new_resources();
      drop function wake_publisher();
    `)
  }
}

const resourceSubject = (head: string) =>
  `json_build_object('resource', json_build_object('id', ${head}.id, 'type', ${head}.kind, 'slug', ${head}.slug,
    'version', ${head}.version, 'path', ${head}.path, 'brain_id', ${head}.brain_id))`

const jobSubject = (job: string) =>
  `json_strip_nulls(json_build_object('job', json_build_object('id', ${job}.job_id, 'kind', ${job}.kind,
    'status', ${job}.status, 'root_job_id', ${job}.root_job_id, 'parent_job_id', ${job}.parent_job_id,
    'pathway_id', ${job}.pathway_id, 'neuron_id', ${job}.neuron_id, 'receptor_id', ${job}.receptor_id,
    'asset_id', ${job}.asset_id, 'trace_id', ${job}.trace_id, 'brain_id', ${job}.brain_id)))`

/** One statement may change many heads, such as the move of a folder. A change of version and place is two events. */
const RESOURCE_EVENTS = `
  create function announce_new_resources() returns trigger language plpgsql as $$
  begin
    insert into event_outbox (workspace_id, brain_id, type, subject)
      select head.workspace_id, head.brain_id, 'resource.created', ${resourceSubject('head')} from changed head;
    return null;
  end $$;
  create trigger resources_inserted_announced after insert on resources
    referencing new table as changed for each statement execute function announce_new_resources();

  create function announce_resource_changes() returns trigger language plpgsql as $$
  begin
    insert into event_outbox (workspace_id, brain_id, type, subject)
      select head.workspace_id, head.brain_id, kind_of_change.type, ${resourceSubject('head')}
        from changed head join former using (id),
             lateral (values
               (1, 'resource.deleted', former.deleted_at is null and head.deleted_at is not null),
               (2, 'resource.restored', former.deleted_at is not null and head.deleted_at is null),
               (3, 'resource.moved', head.deleted_at is null
                  and (former.path, former.brain_id) is distinct from (head.path, head.brain_id)),
               (4, 'resource.updated', head.deleted_at is null
                  and (former.version, former.title) is distinct from (head.version, head.title))
             ) kind_of_change (place, type, applies)
       where kind_of_change.applies
       order by head.id, kind_of_change.place;
    return null;
  end $$;
  create trigger resources_updated_announced after update on resources
    referencing old table as former new table as changed
    for each statement execute function announce_resource_changes();

  -- The indexer has written a revision. A rebuild writes the revisions that are known, and announces none.
  create function announce_indexing() returns trigger language plpgsql as $$
  begin
    insert into event_outbox (workspace_id, brain_id, type, subject)
      select head.workspace_id, head.brain_id, 'resource.indexed', ${resourceSubject('head')}
        from resources head
       where head.id = new.resource_id and head.revision = new.revision and head.deleted_at is null;
    return null;
  end $$;
  create trigger search_state_announced after update of revision on search_state for each row
    when (new.index_name is not null and new.revision <> old.revision) execute function announce_indexing();
`

const JOB_EVENTS = `
  create function announce_job_start() returns trigger language plpgsql as $$
  begin
    insert into event_outbox (workspace_id, brain_id, type, subject)
      values (new.workspace_id, new.brain_id, 'job.started', ${jobSubject('new')});
    return null;
  end $$;
  create trigger jobs_inserted_announced after insert on jobs for each row execute function announce_job_start();

  create function announce_job_status() returns trigger language plpgsql as $$
  declare
    event_type text := case
      when new.status = 'failed' and new.failed_code = 'CANCELLED' then 'job.cancelled'
      when new.status in ('waiting', 'paused', 'completed', 'failed') then 'job.' || new.status
      when new.status = 'running' and old.status in ('waiting', 'paused') then 'job.resumed' end;
  begin
    if event_type is not null then
      insert into event_outbox (workspace_id, brain_id, type, subject)
        values (new.workspace_id, new.brain_id, event_type, ${jobSubject('new')});
    end if;
    return null;
  end $$;
  create trigger jobs_status_announced after update of status on jobs for each row
    when (new.status <> old.status) execute function announce_job_status();
`

/** A row may be written first when its end is known, and its opening later or never. */
const INTERVENTION_EVENTS = `
  create function announce_intervention() returns trigger language plpgsql as $$
  declare
    is_new boolean := tg_op = 'INSERT';
    opened boolean := new.opened_at is not null and (is_new or old.opened_at is null);
    closed boolean := new.status <> 'open' and (is_new or old.status = 'open');
  begin
    insert into event_outbox (workspace_id, brain_id, type, subject)
      select new.workspace_id, job.brain_id, happened.type,
             json_build_object('intervention', json_build_object('id', new.id, 'job_id', new.job_id,
               'root_job_id', new.root_job_id, 'kind', new.kind, 'status', new.status, 'brain_id', job.brain_id))
        from jobs job,
             (values (1, 'intervention.requested', opened),
                     (2, 'intervention.' || case new.status when 'decided' then 'answered' else new.status end, closed)
             ) happened (place, type, applies)
       where job.job_id = new.job_id and happened.applies
       order by happened.place;
    return null;
  end $$;
  create trigger interventions_announced after insert or update of status, opened_at on interventions
    for each row execute function announce_intervention();
`
