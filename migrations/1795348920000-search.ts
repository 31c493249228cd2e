import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['text_chunks', 'chunk_vectors', 'search_state', 'search_outbox']

/** True in transactions of the indexer, which serves all workspaces. */
const INDEXING = `current_setting('app.indexing', true) = 'on'`

/** Chunks, vectors and the state of the search index. */
export class Search1795348920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table text_chunks (
        workspace_id uuid not null default ${TENANT} references workspaces,
        resource_id uuid not null references resources on delete cascade,
        version integer not null,
        ordinal integer not null,
        -- UTF-16 offsets into the text.
        start_offset integer not null,
        end_offset integer not null,
        heading text,
        text text not null,
        sha256 text not null,
        primary key (resource_id, version, ordinal)
      );

      -- By the hash of the text, so that equal texts are embedded once.
      create table chunk_vectors (
        workspace_id uuid not null default ${TENANT} references workspaces,
        model text not null,
        sha256 text not null,
        vector bytea not null,
        primary key (workspace_id, model, sha256)
      );

      -- The revision and the number of parts that the search index holds of a resource.
      create table search_state (
        workspace_id uuid not null default ${TENANT} references workspaces,
        resource_id uuid primary key references resources on delete cascade,
        revision bigint not null,
        -- The index that holds it; null while only an index under construction does.
        index_name text,
        parts integer not null,
        -- Hash of the chunked text: equal keys have equal chunks.
        text_key text,
        indexed_at timestamptz not null default now(),
        problem text
      );

      create table search_outbox (
        id bigint generated always as identity primary key,
        -- Written by the trigger only: foreign keys would cost two look-ups for each resource of a moved folder.
        workspace_id uuid not null default ${TENANT},
        resource_id uuid not null,
        revision bigint not null,
        version integer not null,
        created_at timestamptz not null default now(),
        attempts integer not null default 0,
        -- The next attempt, or the end of the lease.
        due_at timestamptz not null default now(),
        -- Has many chunks to embed: small entries do not wait for it.
        is_large boolean not null default false
      );
      create index search_outbox_due on search_outbox (is_large, due_at, id);

      create function enqueue_search() returns trigger language plpgsql as $$
      begin
        insert into search_outbox (workspace_id, resource_id, revision, version)
          select workspace_id, id, revision, version from changed;
        return null;
      end $$;
      create trigger resources_inserted after insert on resources
        referencing new table as changed for each statement execute function enqueue_search();
      create trigger resources_updated after update on resources
        referencing new table as changed for each statement execute function enqueue_search();
    `)
    await enableTenantPolicy(runner, TABLES)
    await runner.query(`
      create policy indexing_select on search_outbox for select using (${INDEXING});
      create policy indexing_update on search_outbox for update using (${INDEXING}) with check (${INDEXING});
      create policy indexing_delete on search_outbox for delete using (${INDEXING});
      create policy indexing on workspaces for select using (${INDEXING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop policy indexing on workspaces;
      drop trigger resources_updated on resources;
      drop trigger resources_inserted on resources;
      drop function enqueue_search();
    `)
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}`)
  }
}
