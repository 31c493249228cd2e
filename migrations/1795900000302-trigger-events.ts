import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions of the publisher, which serves all workspaces. */
const PUBLISHING = `current_setting('app.publishing', true) = 'on'`

/** Events on their way to triggers. */
export class TriggerEvents1795900000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The run whose activity has caused the event, or the request.
      alter table event_outbox add column cause text default nullif(current_setting('app.request_id', true), '');

      -- The key of a replay names the firing whose event it repeats.
      alter table trigger_firings add column replay_of uuid
        generated always as (case when dedupe_key like 'replay:%' then split_part(dedupe_key, ':', 2)::uuid end) stored;

      -- The live triggers that wait for events or messages. A policy of the publisher on resources would keep all other
      -- queries from the indexes of that table.
      create table trigger_listeners (
        trigger_id uuid primary key references resources on delete cascade,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid,
        trigger_type text not null check (trigger_type in ('event', 'chat')),
        settings json not null
      );
      create index trigger_listeners_by_type on trigger_listeners (workspace_id, trigger_type);

      create function note_listener() returns trigger language plpgsql as $$
      declare
        type text := new.document ->> 'trigger_type';
      begin
        if new.deleted_at is null and type in ('event', 'chat') and new.document -> type is not null then
          insert into trigger_listeners (trigger_id, workspace_id, brain_id, trigger_type, settings)
            values (new.id, new.workspace_id, new.brain_id, type, new.document -> type)
            on conflict (trigger_id) do update
              set brain_id = excluded.brain_id, trigger_type = excluded.trigger_type, settings = excluded.settings;
        else
          delete from trigger_listeners where trigger_id = new.id;
        end if;
        return null;
      end $$;
      create trigger triggers_listen after insert or update on resources for each row
        when (new.kind = 'triggers') execute function note_listener();

      create table trigger_events (
        id uuid primary key default gen_random_uuid(),
        workspace_id uuid not null default ${TENANT} references workspaces,
        trigger_id uuid not null references resources on delete cascade,
        -- One firing per key.
        dedupe_key text not null,
        -- The fields of the event; those of the latest one where several are counted together.
        event json not null,
        -- When it happened.
        at timestamptz not null,
        -- The runs that have caused the events; null for what no run has.
        causes text[] not null,
        -- Events with the same key are counted together, until the row is taken.
        debounce_key text,
        merged integer not null default 1,
        -- The run of the neuron that decides about a message.
        router_job_id text,
        attempts integer not null default 0,
        created_at timestamptz not null default now(),
        due_at timestamptz not null default now()
      );
      create unique index trigger_events_key on trigger_events (trigger_id, dedupe_key);
      create unique index trigger_events_debounced on trigger_events (trigger_id, debounce_key)
        where debounce_key is not null;
      create index trigger_events_due on trigger_events (workspace_id, due_at);
    `)
    await enableTenantPolicy(runner, ['trigger_listeners', 'trigger_events'])
    await runner.query(`
      create policy publishing_select on trigger_listeners for select using (${PUBLISHING});
      create policy publishing_insert on trigger_events for insert with check (${PUBLISHING});
      create policy publishing_select on trigger_events for select using (${PUBLISHING});
      create policy publishing_update on trigger_events for update using (${PUBLISHING}) with check (${PUBLISHING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table trigger_events;
      drop trigger triggers_listen on resources;
      drop function note_listener();
      drop table trigger_listeners;
      alter table trigger_firings drop column replay_of;
      alter table event_outbox drop column cause;
    `)
  }
}
