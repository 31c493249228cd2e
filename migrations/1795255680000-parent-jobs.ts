import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Runs know the run that started them, whose usage includes theirs. */
export class ParentJobs1795255680000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null for outermost runs, and for all runs from before there was this column.
      alter table jobs add column parent_job_id text;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column parent_job_id')
  }
}
