import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What a node was called with. */
export class NodeInputs1795600000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_nodes add column input json')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_nodes drop column input')
  }
}
