import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The order in which people deal with what runs ask them: a page is read without sorting all that is open. */
export class InterventionsByDue1797000000415 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index interventions_by_due on interventions (workspace_id, status, due_at, opened_at, id)',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index interventions_by_due')
  }
}
