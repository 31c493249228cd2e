import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The person behind a service key and behind the requester of a job, and the brains that the requester may see. */
export class KeyOwners1795349160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys add column owner text;
      alter table jobs add column requester_person text, add column requester_brains uuid[];
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs drop column requester_person, drop column requester_brains;
      alter table api_keys drop column owner;
    `)
  }
}
