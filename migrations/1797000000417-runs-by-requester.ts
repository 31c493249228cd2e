import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The runs that one person or key has started: a page is read without a look at those of others. */
export class RunsByRequester1797000000417 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index jobs_by_requester on jobs (workspace_id, requester, created_at desc, job_id desc)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index jobs_by_requester')
  }
}
