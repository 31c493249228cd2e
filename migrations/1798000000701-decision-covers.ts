import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What decisions in nodes are about, what nodes have sent, and what a fork does with the decisions of its run. */
export class DecisionCovers1798000000701 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table job_nodes add column covers json, add column is_given boolean, add column sent json;
      alter table job_forks add column decisions json not null default '{"asked_again": [], "kept": [], "repeated": []}';
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job_forks drop column decisions')
    await runner.query('alter table job_nodes drop column covers, drop column is_given, drop column sent')
  }
}
