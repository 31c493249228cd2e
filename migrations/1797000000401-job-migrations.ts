import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** The moves of runs to other versions of their pathways. */
export class JobMigrations1797000000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table job_migrations (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null references jobs on delete cascade,
        id uuid not null,
        from_version integer not null,
        to_version integer not null,
        actor text not null,
        at timestamptz not null,
        undone_by text,
        undone_at timestamptz,
        primary key (job_id, id)
      );
      -- The open runs of a version, oldest first.
      create index jobs_by_version on jobs (workspace_id, pathway_id, pathway_version, created_at, job_id)
        where status not in ('completed', 'failed');
    `)
    await enableTenantPolicy(runner, ['job_migrations'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index jobs_by_version')
    await runner.query('drop table job_migrations')
  }
}
