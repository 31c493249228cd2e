import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['brains', 'members', 'api_keys', 'audit_log']

/** Workspaces, brains, members, API keys and the audit log. */
export class Access1795348800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table workspaces (
        id uuid primary key,
        slug text not null constraint workspaces_slug unique,
        name text not null,
        created_at timestamptz not null default now()
      );

      create table brains (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        name text not null,
        created_at timestamptz not null default now()
      );
      create index brains_by_workspace on brains (workspace_id, created_at);

      create table members (
        workspace_id uuid not null default ${TENANT} references workspaces,
        actor text not null,
        groups text[] not null default '{}',
        primary key (workspace_id, actor)
      );

      create table api_keys (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        name text not null,
        actor text,
        groups text[] not null default '{}',
        brain_ids uuid[],
        prefix text not null,
        hmac bytea not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        constraint api_keys_prefix unique (workspace_id, prefix)
      );

      create table audit_log (
        id bigint generated always as identity primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        at timestamptz not null default now(),
        actor text not null,
        action text not null,
        target text not null,
        details jsonb not null default '{}'
      );
      create index audit_log_by_time on audit_log (workspace_id, at desc, id desc);

      alter table workspaces enable row level security;
      alter table workspaces force row level security;
      create policy tenant on workspaces using (id = ${TENANT}) with check (id = ${TENANT});
      -- A caller that knows a slug may read that one row.
      create policy by_slug on workspaces for select
        using (slug = nullif(current_setting('app.workspace_slug', true), ''));
    `)
    await enableTenantPolicy(runner, TABLES)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}, workspaces`)
  }
}
