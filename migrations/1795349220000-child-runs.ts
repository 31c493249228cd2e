import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The number of runs below a root job. */
export class ChildRuns1795349220000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column child_runs integer not null default 0')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column child_runs')
  }
}
