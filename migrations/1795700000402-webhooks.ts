import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions of the publisher, which serves all workspaces. */
const PUBLISHING = `current_setting('app.publishing', true) = 'on'`

/** Webhooks and the log of their deliveries. */
export class Webhooks1795700000402 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhooks (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        -- The brain whose events are delivered, with those of the workspace; null for the events of all brains.
        brain_id uuid references brains,
        url text not null,
        description text,
        event_types text[] not null,
        -- Encrypted. The previous secret signs, too, until its end.
        secret bytea not null,
        previous_secret bytea,
        previous_secret_until timestamptz,
        -- The first failure since the last success.
        failing_since timestamptz,
        disabled_at timestamptz,
        disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
        created_by text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index webhooks_by_workspace on webhooks (workspace_id, created_at desc, id desc);

      create table webhook_deliveries (
        id uuid primary key default gen_random_uuid(),
        workspace_id uuid not null default ${TENANT} references workspaces,
        webhook_id uuid not null references webhooks on delete cascade,
        event_id uuid not null,
        event_type text not null,
        -- The bytes that are signed and sent, the same at every attempt.
        body text not null,
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
        -- Attempts since the delivery or its replay was requested.
        attempts integer not null default 0,
        -- The latest attempts, also those before a replay.
        attempt_log jsonb not null default '[]',
        next_attempt_at timestamptz,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        -- When to start the workflow, again if it has not begun by then; null once it has.
        start_due_at timestamptz default now(),
        constraint webhook_deliveries_event unique (webhook_id, event_id)
      );
      create index webhook_deliveries_by_time on webhook_deliveries (webhook_id, created_at desc, id desc);
      create index webhook_deliveries_unstarted on webhook_deliveries (workspace_id, start_due_at)
        where start_due_at is not null;
      create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;

      create function announce_disabled_webhook() returns trigger language plpgsql as $$
      begin
        insert into event_outbox (workspace_id, brain_id, type, subject)
          values (new.workspace_id, new.brain_id, 'webhook.disabled', json_build_object('webhook',
            json_build_object('id', new.id, 'reason', new.disabled_reason, 'brain_id', new.brain_id)));
        return null;
      end $$;
      create trigger webhooks_disabled_announced after update of disabled_at on webhooks for each row
        when (old.disabled_at is null and new.disabled_at is not null) execute function announce_disabled_webhook();
    `)
    await enableTenantPolicy(runner, ['webhooks', 'webhook_deliveries'])
    await runner.query(`
      create policy publishing_select on webhooks for select using (${PUBLISHING});
      create policy publishing_insert on webhook_deliveries for insert with check (${PUBLISHING});
      create policy publishing_select on webhook_deliveries for select using (${PUBLISHING});
      create policy publishing_update on webhook_deliveries for update using (${PUBLISHING}) with check (${PUBLISHING});
      create policy publishing_delete on webhook_deliveries for delete using (${PUBLISHING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table webhook_deliveries, webhooks;
      drop function announce_disabled_webhook();
    `)
  }
}
