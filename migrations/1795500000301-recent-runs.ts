import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The completed root jobs of a kind, latest first: estimates of costs read the last of them. */
export class RecentRuns1795500000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index jobs_completed_by_kind on jobs (workspace_id, kind, created_at desc)
        where status = 'completed' and parent_job_id is null
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index jobs_completed_by_kind')
  }
}
