import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Sources of the untrusted content that runs were started with, and that outputs of nodes have. */
export class FlowLabels1798000000601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column labels text[]')
    await runner.query('alter table job_nodes add column labels text[]')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_nodes drop column labels')
    await runner.query('alter table jobs drop column labels')
  }
}
