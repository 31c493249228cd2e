import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Plans of workspaces, what a workspace spends in a month, and what its runs in flight reserve. */
export class Plans1795700000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: the default plan of the installation.
      alter table workspaces add column plan text, add column trial_ends_at timestamptz;

      alter table jobs
        add column reserved_usd numeric not null default 0,
        -- The credential that started it. Null for child runs.
        add column credential text;
      create index jobs_in_flight on jobs (workspace_id)
        where parent_job_id is null and status not in ('completed', 'failed');

      create table monthly_spend (
        workspace_id uuid not null default ${TENANT} references workspaces,
        -- The first day of the month, by UTC.
        month date not null,
        usd numeric not null,
        primary key (workspace_id, month)
      );

      -- The owner of the tables reads the rows of all workspaces.
      alter table usage_events no force row level security;
      insert into monthly_spend (workspace_id, month, usd)
        select workspace_id, date_trunc('month', at at time zone 'utc')::date, sum(usd)
          from usage_events where usd > 0 group by 1, 2;
      alter table usage_events force row level security;

      create function add_monthly_spend() returns trigger language plpgsql as $$
      begin
        insert into monthly_spend (workspace_id, month, usd)
          values (new.workspace_id, date_trunc('month', new.at at time zone 'utc')::date, new.usd)
          on conflict (workspace_id, month) do update set usd = monthly_spend.usd + excluded.usd;
        return null;
      end $$;
      -- Deferred, so that the row of the month is locked only while its transaction commits, after all other rows.
      create constraint trigger usage_events_spend after insert on usage_events
        deferrable initially deferred for each row when (new.usd > 0) execute function add_monthly_spend();
    `)
    await enableTenantPolicy(runner, ['monthly_spend'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger usage_events_spend on usage_events;
      drop function add_monthly_spend();
      drop table monthly_spend;
      drop index jobs_in_flight;
      alter table jobs drop column credential, drop column reserved_usd;
      alter table workspaces drop column trial_ends_at, drop column plan;
    `)
  }
}
