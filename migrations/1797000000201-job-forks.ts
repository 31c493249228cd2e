import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** The runs that go on from a node of another run, and of their nodes those that they took over. */
export class JobForks1797000000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table job_forks (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null primary key references jobs on delete cascade,
        origin_job_id text not null,
        kind text not null check (kind in ('fork', 'retry', 'reopen')),
        -- Null for a retry of all that was not completed.
        from_key text,
        actor text not null,
        reason text,
        -- Names of what differs from the run: input, pathway_version, keys of outputs.
        changes json not null,
        created_at timestamptz not null default now()
      );
      create index job_forks_by_origin on job_forks (workspace_id, origin_job_id, created_at);
      alter table job_nodes add column origin_job_id text;
    `)
    await enableTenantPolicy(runner, ['job_forks'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_nodes drop column origin_job_id')
    await runner.query('drop table job_forks')
  }
}
