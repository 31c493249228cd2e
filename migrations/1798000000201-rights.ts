import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What runs may do, and what the authors of versions could do when they saved them. */
export class Rights1798000000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column rights text[] not null default '{}';
      alter table resource_versions add column author_permissions text[] not null default '{}';
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs drop column rights;
      alter table resource_versions drop column author_permissions;
    `)
  }
}
