import type { MigrationInterface, QueryRunner } from 'typeorm'

/** All credentials are rows of one table: API keys, publishable keys, share tokens, sessions. Members have a role. */
export class Credentials1795700000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys rename to credentials;
      alter table credentials rename constraint api_keys_pkey to credentials_pkey;
      alter table credentials rename constraint api_keys_prefix to credentials_prefix;
      alter table credentials rename constraint api_keys_default_brain to credentials_default_brain;
      alter table credentials
        add column kind text not null default 'api_key'
          constraint credentials_kind check
            (kind in ('api_key', 'publishable_key', 'share_token', 'session', 'sign_in_link')),
        -- Null for the permissions of the kind.
        add column permissions text[],
        -- What a share token opens.
        add column target_type text constraint credentials_target_type check (target_type in ('receptor', 'trace')),
        add column target_id uuid,
        add column rights text[],
        add column max_uses integer constraint credentials_max_uses check (max_uses > 0),
        add column uses integer not null default 0,
        add column created_by text,
        add column last_used_at timestamptz,
        add constraint credentials_target check ((kind = 'share_token') = (target_id is not null)),
        add constraint credentials_uses check (max_uses is null or uses <= max_uses);
      alter table credentials alter column kind drop default;
      create index credentials_by_kind on credentials (workspace_id, kind, created_at, id);
      create index credentials_by_actor on credentials (workspace_id, actor) where actor is not null;

      alter table members
        add column role text not null default 'builder'
          constraint members_role check (role in ('owner', 'admin', 'builder', 'operator', 'reviewer', 'viewer'));
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table members drop column role;
      delete from credentials where kind <> 'api_key';
      drop index credentials_by_kind, credentials_by_actor;
      alter table credentials
        drop column kind, drop column permissions, drop column target_type, drop column target_id, drop column rights,
        drop column max_uses, drop column uses, drop column created_by, drop column last_used_at;
      alter table credentials rename constraint credentials_pkey to api_keys_pkey;
      alter table credentials rename constraint credentials_prefix to api_keys_prefix;
      alter table credentials rename constraint credentials_default_brain to api_keys_default_brain;
      alter table credentials rename to api_keys;
    `)
  }
}
