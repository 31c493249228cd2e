import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The definition that a run was sent with, and the failed attempts of its nodes. */
export class RunDefinitions1797000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column definition json')
    await runner.query('alter table job_nodes add column failed_attempts jsonb')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_nodes drop column failed_attempts')
    await runner.query('alter table jobs drop column definition')
  }
}
