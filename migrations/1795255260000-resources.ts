import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/**
 * The spine: heads of every kind, and a full snapshot per version. Documents are `json`, which keeps the order in which
 * people wrote their keys (the fields of a form appear in it); nothing is searched for inside them here.
 */
export class Resources1795255260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table resources (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid references brains,
        kind text not null,
        slug text not null,
        title text not null,
        path text not null default '/',
        scope text not null default 'workspace' check (scope in ('core', 'workspace', 'brain')),
        is_active boolean not null default true,
        version integer not null default 1 check (version > 0),
        document json not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      );
      create unique index resources_live_slug on resources (workspace_id, kind, slug) where deleted_at is null;
      create index resources_by_kind on resources (workspace_id, kind, created_at desc, id desc)
        where deleted_at is null;

      create table resource_versions (
        resource_id uuid not null references resources on delete cascade,
        version integer not null check (version > 0),
        workspace_id uuid not null default ${TENANT} references workspaces,
        title text not null,
        document json not null,
        delta jsonb,
        author text not null,
        note text,
        created_at timestamptz not null default now(),
        primary key (resource_id, version)
      );
    `)
    for (const table of ['resources', 'resource_versions']) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table resource_versions, resources')
  }
}
