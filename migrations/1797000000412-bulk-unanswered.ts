import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Attempts at a run of a bulk job that the run has not answered, since those of other runs do not count. */
export class BulkUnanswered1797000000412 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bulk_items add column unanswered integer not null default 0')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bulk_items drop column unanswered')
  }
}
