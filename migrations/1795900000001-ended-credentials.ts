import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Credentials by their end, for their removal. */
export class EndedCredentials1795900000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index credentials_by_end on credentials (workspace_id, least(revoked_at, expires_at))')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index credentials_by_end')
  }
}
