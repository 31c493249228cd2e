import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions that serve all workspaces. */
const PUBLISHING = `current_setting('app.publishing', true) = 'on'`

/** Firings of triggers, and the state of each trigger beside its document. */
export class Triggers1795900000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table trigger_states (
        trigger_id uuid primary key references resources on delete cascade,
        workspace_id uuid not null default ${TENANT} references workspaces,
        last_fired_at timestamptz,
        -- The latest decision about an event, other than duplicates and filtered ones.
        last_decision text,
        last_reason text,
        last_decided_at timestamptz,
        -- Runs that have failed since one has completed.
        failed_runs integer not null default 0,
        -- When to bring Temporal to the state of the trigger; null once it is there.
        sync_due_at timestamptz default now(),
        -- Why that failed the last time.
        sync_error text,
        -- As announced by the latest event.
        health text not null default 'ok',
        health_reason text,
        health_at timestamptz not null default now()
      );
      create index trigger_states_unsynced on trigger_states (sync_due_at) where sync_due_at is not null;

      create table trigger_firings (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid,
        trigger_id uuid not null references resources on delete cascade,
        trigger_version integer not null,
        source text not null,
        decision text not null check (decision in ('fired', 'filtered', 'limited', 'duplicate', 'failed_mapping', 'paused',
          'target_missing', 'refused')),
        reason text,
        job_id text,
        dedupe_key text not null,
        duplicate_of uuid,
        depth integer not null default 0,
        fired_by text,
        event json,
        input json,
        created_at timestamptz not null default now(),
        -- When to start the run again, in case it has not begun; null once it has.
        start_due_at timestamptz
      );
      create unique index trigger_firings_key on trigger_firings (trigger_id, dedupe_key) where decision <> 'duplicate';
      create index trigger_firings_by_time on trigger_firings (trigger_id, created_at desc, id desc);
      create index trigger_firings_by_age on trigger_firings (workspace_id, created_at);
      create index trigger_firings_unstarted on trigger_firings (start_due_at) where start_due_at is not null;

      alter table jobs add column trigger_id uuid;
      create index jobs_by_trigger on jobs (workspace_id, trigger_id, created_at desc, job_id desc)
        where trigger_id is not null;

      -- A trigger has a state from its first version on. Any change of the head may concern its schedule.
      create function note_trigger() returns trigger language plpgsql as $$
      begin
        insert into trigger_states (trigger_id, workspace_id) values (new.id, new.workspace_id)
          on conflict (trigger_id) do update set sync_due_at = now();
        return null;
      end $$;
      create trigger triggers_noted after insert or update on resources for each row
        when (new.kind = 'triggers') execute function note_trigger();

      create function note_triggered_run() returns trigger language plpgsql as $$
      begin
        update trigger_states set failed_runs = case new.status when 'failed' then failed_runs + 1 else 0 end
         where trigger_id = new.trigger_id;
        return null;
      end $$;
      create trigger triggered_runs_noted after update of status on jobs for each row
        when (new.trigger_id is not null and new.status <> old.status and new.status in ('completed', 'failed'))
        execute function note_triggered_run();

      insert into trigger_states (trigger_id, workspace_id)
        select id, workspace_id from resources where kind = 'triggers';
    `)
    await enableTenantPolicy(runner, ['trigger_states', 'trigger_firings'])
    for (const table of ['trigger_states', 'trigger_firings'])
      await runner.query(`
        create policy publishing_select on ${table} for select using (${PUBLISHING});
        create policy publishing_update on ${table} for update using (${PUBLISHING}) with check (${PUBLISHING});
      `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger triggered_runs_noted on jobs;
      drop trigger triggers_noted on resources;
      drop function note_triggered_run();
      drop function note_trigger();
      alter table jobs drop column trigger_id;
      drop table trigger_firings;
      drop table trigger_states;
    `)
  }
}
