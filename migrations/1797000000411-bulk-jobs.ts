import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** The runs that a bulk job is about, in its order, and what became of each. */
export class BulkJobs1797000000411 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table bulk_items (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null references jobs on delete cascade,
        -- The run. It may be removed before the bulk job.
        run_id text not null,
        run_brain_id uuid,
        ordinal bigint not null generated always as identity,
        -- When the operation began: from then on the run may have received it.
        begun_at timestamptz,
        outcome text check (outcome in ('done', 'skipped', 'failed')),
        code text,
        message text,
        at timestamptz,
        primary key (job_id, run_id)
      );
      create index bulk_items_open on bulk_items (job_id, ordinal) where outcome is null;
      create index bulk_items_by_outcome on bulk_items (job_id, outcome, ordinal);
    `)
    await enableTenantPolicy(runner, ['bulk_items'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table bulk_items')
  }
}
