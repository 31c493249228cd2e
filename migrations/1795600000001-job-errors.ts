import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The node at which a job failed, the failed jobs of a workspace by code, and the people behind answers. */
export class JobErrors1795600000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column failed_node_key text;
      create index jobs_by_error on jobs (workspace_id, failed_code, created_at desc, job_id desc)
        where failed_code is not null;
      alter table intervention_votes add column person text
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table intervention_votes drop column person;
      drop index jobs_by_error;
      alter table jobs drop column failed_node_key
    `)
  }
}
