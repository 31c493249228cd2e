import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`
/** Set by the indexer, which serves all workspaces: it may see what waits for it, and whose it is. */
const INDEXING = `current_setting('app.indexing', true) = 'on'`

/** What the spine needs beside heads and versions: places, large contents, their text, and the way into search. */
export class Spine1795255440000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Grows with every change of a head, of its place too: what search knows of it is as of a revision.
      create sequence resource_revisions;
      alter table resources add column revision bigint not null default nextval('resource_revisions');
      -- The path with its slashes below every other character: a subtree is one range, and siblings come by name.
      alter table resources
        add column tree_key text collate "C" not null generated always as (replace(path, '/', chr(1))) stored;
      create index resources_by_path on resources (workspace_id, tree_key, title collate "C", id)
        include (kind, brain_id) where deleted_at is null;
      -- The same per brain, so that what a caller does not see is stepped over.
      create index resources_by_brain_path on resources (workspace_id, brain_id, tree_key, title collate "C", id)
        include (kind) where deleted_at is null;
      create index resources_by_revision on resources (workspace_id, revision);
      create index resources_by_update on resources (workspace_id, kind, updated_at desc, id desc)
        include (brain_id) where deleted_at is null;
      create index assets_by_content on resources (workspace_id, (document ->> 'sha256'))
        where kind = 'assets' and deleted_at is null;
      create index assets_by_source on resources (workspace_id, (document ->> 'source_key'))
        where kind = 'assets' and deleted_at is null;

      -- Addressed by what they are; stored uncompressed, so that a range is read without the rest.
      create table contents (
        workspace_id uuid not null default ${TENANT} references workspaces,
        sha256 text not null,
        size bigint not null,
        bytes bytea not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, sha256)
      );
      alter table contents alter column bytes set storage external;

      -- What was read out of a content, once for all assets that hold it.
      create table extractions (
        workspace_id uuid not null default ${TENANT} references workspaces,
        sha256 text not null,
        media_type text not null,
        text_sha256 text,
        title text,
        pages integer,
        metadata jsonb not null default '{}',
        error_code text,
        error_message text,
        at timestamptz not null default now(),
        primary key (workspace_id, sha256, media_type),
        foreign key (workspace_id, sha256) references contents
      );

      create table text_chunks (
        workspace_id uuid not null default ${TENANT} references workspaces,
        resource_id uuid not null references resources on delete cascade,
        version integer not null,
        ordinal integer not null,
        -- Offsets into the text, in UTF-16 units.
        start_offset integer not null,
        end_offset integer not null,
        heading text,
        text text not null,
        sha256 text not null,
        primary key (resource_id, version, ordinal)
      );

      -- By the text alone: what is said twice, or again in the next version, is embedded once.
      create table chunk_vectors (
        workspace_id uuid not null default ${TENANT} references workspaces,
        model text not null,
        sha256 text not null,
        vector bytea not null,
        primary key (workspace_id, model, sha256)
      );

      -- What search has of a resource: as of which revision, in how many parts.
      create table search_state (
        workspace_id uuid not null default ${TENANT} references workspaces,
        resource_id uuid primary key references resources on delete cascade,
        revision bigint not null,
        -- The index that has it; null while one is being built that is not the live one yet.
        index_name text,
        parts integer not null,
        -- What its chunks were made of: as long as it is the same, they are.
        text_key text,
        indexed_at timestamptz not null default now(),
        problem text
      );

      create table search_outbox (
        id bigint generated always as identity primary key,
        -- Written by the trigger below only: foreign keys would cost two look-ups for each resource of a moved folder.
        workspace_id uuid not null default ${TENANT},
        resource_id uuid not null,
        revision bigint not null,
        version integer not null,
        created_at timestamptz not null default now(),
        attempts integer not null default 0,
        -- Taken by an indexer until then; whoever comes later takes it again.
        due_at timestamptz not null default now(),
        -- There is so much to embed that what is small should not wait for it.
        is_large boolean not null default false
      );
      create index search_outbox_due on search_outbox (is_large, due_at, id);

      create function raise_revision() returns trigger language plpgsql as $$
      begin
        new.revision := nextval('resource_revisions');
        return new;
      end $$;
      create trigger resources_revision before update on resources
        for each row execute function raise_revision();

      create function tell_search() returns trigger language plpgsql as $$
      begin
        insert into search_outbox (workspace_id, resource_id, revision, version)
          select workspace_id, id, revision, version from changed;
        return null;
      end $$;
      create trigger resources_inserted after insert on resources
        referencing new table as changed for each statement execute function tell_search();
      create trigger resources_updated after update on resources
        referencing new table as changed for each statement execute function tell_search();

      alter table idempotency_keys rename column job_id to target;
    `)
    for (const table of ['contents', 'extractions', 'text_chunks', 'chunk_vectors', 'search_state', 'search_outbox']) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
    await runner.query(`
      create policy indexing_reads on search_outbox for select using (${INDEXING});
      create policy indexing_takes on search_outbox for update using (${INDEXING}) with check (${INDEXING});
      create policy indexing_ends on search_outbox for delete using (${INDEXING});
      create policy indexing on workspaces for select using (${INDEXING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table idempotency_keys rename column target to job_id;
      drop policy indexing on workspaces;
      drop trigger resources_updated on resources;
      drop trigger resources_inserted on resources;
      drop trigger resources_revision on resources;
      drop function tell_search();
      drop function raise_revision();
      drop table search_outbox, search_state, chunk_vectors, text_chunks, extractions, contents;
      drop index assets_by_source, assets_by_content, resources_by_update, resources_by_revision;
      drop index resources_by_brain_path, resources_by_path;
      alter table resources drop column tree_key, drop column revision;
      drop sequence resource_revisions;
    `)
  }
}
