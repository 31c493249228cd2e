import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Addresses of webhook triggers. Their tokens are credentials; their secrets check signatures. */
export class Hooks1795900000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table credentials
        drop constraint credentials_kind,
        drop constraint credentials_target,
        add constraint credentials_kind check
          (kind in ('api_key', 'publishable_key', 'share_token', 'session', 'sign_in_link', 'hook_token')),
        add constraint credentials_target check ((kind in ('share_token', 'hook_token')) = (target_id is not null));
      create index credentials_by_target on credentials (workspace_id, target_id) where kind = 'hook_token';

      create table hook_secrets (
        trigger_id uuid primary key references resources on delete cascade,
        workspace_id uuid not null default ${TENANT} references workspaces,
        -- Encrypted. The previous secret is accepted, too, until its end.
        secret bytea not null,
        previous_secret bytea,
        previous_secret_until timestamptz,
        updated_at timestamptz not null default now()
      );
    `)
    await enableTenantPolicy(runner, ['hook_secrets'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table hook_secrets;
      delete from credentials where kind = 'hook_token';
      drop index credentials_by_target;
      alter table credentials
        drop constraint credentials_kind,
        drop constraint credentials_target,
        add constraint credentials_kind check
          (kind in ('api_key', 'publishable_key', 'share_token', 'session', 'sign_in_link')),
        add constraint credentials_target check ((kind = 'share_token') = (target_id is not null));
    `)
  }
}
