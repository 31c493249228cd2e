import type { MigrationInterface, QueryRunner } from 'typeorm'
import { TENANT } from './tenant.ts'

/** What the removal of expired rows reads, and the only way in which entries of the audit log can be removed. */
export class Retention1795700000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index jobs_by_end on jobs (workspace_id, finished_at) where parent_job_id is null and trace_id is null;
      create index traces_deleted on traces (workspace_id, deleted_at) where deleted_at is not null;
      create index resources_deleted on resources (workspace_id, deleted_at) where deleted_at is not null;
      create index idempotency_keys_by_expiry on idempotency_keys (workspace_id, expires_at);

      -- The app may not delete from the log. As its owner this function removes entries of the transaction's workspace,
      -- and none that is younger than a year.
      create function expire_audit_log(before timestamptz, max_rows integer) returns bigint
        language sql security definer set search_path = public, pg_temp as $$
          with expired as (
            delete from audit_log where id in (
              select id from audit_log
               where workspace_id = ${TENANT} and at < least(before, now() - interval '365 days')
               order by at limit max_rows)
            returning 1
          ) select count(*) from expired
        $$;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function expire_audit_log;
      drop index jobs_by_end, traces_deleted, resources_deleted, idempotency_keys_by_expiry
    `)
  }
}
