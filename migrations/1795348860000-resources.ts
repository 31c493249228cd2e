import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['resources', 'resource_versions', 'contents', 'extractions']

/**
 * Heads of every kind with a full snapshot per version, and contents with their extracted text. Documents are `json`,
 * which keeps the order of keys: the fields of a form appear in it.
 */
export class Resources1795348860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Grows with every change of a head, its path included. The search index records the revision that it holds.
      create sequence resource_revisions;

      create table resources (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid references brains,
        kind text not null,
        slug text not null,
        title text not null,
        path text not null default '/',
        -- The path with slashes replaced by the lowest character: a subtree is one range, and siblings sort by name.
        tree_key text collate "C" not null generated always as (replace(path, '/', chr(1))) stored,
        scope text not null default 'workspace' check (scope in ('core', 'workspace', 'brain')),
        is_active boolean not null default true,
        version integer not null default 1 check (version > 0),
        revision bigint not null default nextval('resource_revisions'),
        document json not null,
        -- Row-level security allows an index only for leakproof operators, and those of JSON are not: these fields are columns.
        asset_sha256 text generated always as (case when kind = 'assets' then document ->> 'sha256' end) stored,
        source_key text generated always as (case when kind = 'assets' then document ->> 'source_key' end) stored,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      );
      create unique index resources_live_slug on resources (workspace_id, kind, slug) where deleted_at is null;
      -- A source names one live asset of a brain, also after a deleted one is restored.
      create unique index resources_live_source on resources (workspace_id, source_key, brain_id) nulls not distinct
        where source_key is not null and deleted_at is null;
      create index resources_by_kind on resources (workspace_id, kind, created_at desc, id desc)
        where deleted_at is null;
      create index resources_by_update on resources (workspace_id, kind, updated_at desc, id desc)
        include (brain_id) where deleted_at is null;
      create index resources_by_path on resources (workspace_id, tree_key, title collate "C", id)
        include (kind, brain_id) where deleted_at is null;
      -- By brain, so that rows that are not visible to the caller are skipped.
      create index resources_by_brain_path on resources (workspace_id, brain_id, tree_key, title collate "C", id)
        include (kind) where deleted_at is null;
      create index resources_by_revision on resources (workspace_id, revision);
      create index resources_by_asset_content on resources (workspace_id, asset_sha256)
        where asset_sha256 is not null and deleted_at is null;

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

      -- Addressed by hash. Stored uncompressed, so that a range is read without the rest.
      create table contents (
        workspace_id uuid not null default ${TENANT} references workspaces,
        sha256 text not null,
        size bigint not null,
        bytes bytea not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, sha256)
      );
      alter table contents alter column bytes set storage external;

      -- The text of a content, extracted once for all assets that hold it.
      create table extractions (
        workspace_id uuid not null default ${TENANT} references workspaces,
        sha256 text not null,
        media_type text not null,
        text_sha256 text,
        title text,
        pages integer,
        characters integer,
        metadata jsonb not null default '{}',
        error_code text,
        error_message text,
        at timestamptz not null default now(),
        primary key (workspace_id, sha256, media_type),
        foreign key (workspace_id, sha256) references contents
      );

      create function raise_revision() returns trigger language plpgsql as $$
      begin
        new.revision := nextval('resource_revisions');
        return new;
      end $$;
      create trigger resources_revision before update on resources
        for each row execute function raise_revision();
    `)
    await enableTenantPolicy(runner, TABLES)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}`)
    await runner.query('drop function raise_revision(); drop sequence resource_revisions')
  }
}
