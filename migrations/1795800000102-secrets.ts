import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Secrets of workspaces, encrypted. */
export class Secrets1795800000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table secrets (
        workspace_id uuid not null default ${TENANT} references workspaces,
        name text not null,
        -- The hosts that the value may be sent to.
        hosts text[] not null,
        -- Encrypted with the key of this id, for this workspace, name and hosts.
        value bytea not null,
        key_id text not null,
        created_by text not null,
        created_at timestamptz not null default now(),
        updated_by text not null,
        updated_at timestamptz not null default now(),
        primary key (workspace_id, name)
      );
    `)
    await enableTenantPolicy(runner, ['secrets'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table secrets')
  }
}
