-- Chunks, vectors, and what the search index holds. Elasticsearch can be rebuilt from these tables.

create table text_chunks (
  workspace_id uuid not null default :tenant references workspaces,
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
create index text_chunks_by_hash on text_chunks (workspace_id, sha256);

-- By the hash of the text, so that equal texts are embedded once.
create table chunk_vectors (
  workspace_id uuid not null default :tenant references workspaces,
  model text not null,
  sha256 text not null,
  vector bytea not null,
  primary key (workspace_id, model, sha256)
);
create index chunk_vectors_by_hash on chunk_vectors (workspace_id, sha256);

-- The revision and the number of parts that the search index holds of a resource.
create table search_state (
  workspace_id uuid not null default :tenant references workspaces,
  resource_id uuid primary key references resources on delete cascade,
  revision bigint not null,
  -- The index that holds it; null while only an index under construction does.
  index_name text,
  parts integer not null,
  -- Hash of the chunked text: equal keys have equal chunks.
  text_key text,
  indexed_at timestamptz not null default now(),
  problem text,
  -- The revision of the head that the index of versions covers; null while it holds nothing of the resource.
  versions_revision bigint,
  -- The last version that it covers.
  versions_until integer,
  -- What every chunk repeats of the head, such as its folder.
  versions_place text,
  versions_index text
);

-- Changes of resources that the index does not hold yet.
create table search_outbox (
  id bigint generated always as identity primary key,
  -- Written by the trigger only: foreign keys would cost two look-ups for each resource of a moved folder.
  workspace_id uuid not null default :tenant,
  resource_id uuid not null,
  revision bigint not null,
  version integer not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- The next attempt, or the end of the lease.
  due_at timestamptz not null default now(),
  -- Has many chunks to embed: small entries do not wait for it.
  is_large boolean not null default false,
  failure text
);
create index search_outbox_failed on search_outbox (workspace_id, resource_id) where failure is not null;
create index search_outbox_turns on search_outbox (is_large, workspace_id, due_at, id);
create policy indexing_delete on search_outbox for delete using (current_setting('app.indexing', true) = 'on');
create policy indexing_select on search_outbox for select using (current_setting('app.indexing', true) = 'on');
create policy indexing_update on search_outbox for update using (current_setting('app.indexing', true) = 'on')
  with check (current_setting('app.indexing', true) = 'on');

create function enqueue_search() returns trigger language plpgsql as $$
begin
  insert into search_outbox (workspace_id, resource_id, revision, version, is_large)
    select workspace_id, id, revision, version, pg_column_size(document) > 20000 from changed;
  return null;
end $$;
create trigger resources_inserted after insert on resources
  referencing new table as changed for each statement execute function enqueue_search();
create trigger resources_updated after update on resources
  referencing new table as changed for each statement execute function enqueue_search();

-- The policy "backlog" lets the owner of the function see the rows of all workspaces.
create function read_index_failures(max_rows integer)
returns table (name text, status text, total bigint, oldest_seconds double precision)
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
select 'index_failures', null, count(*), max(extract(epoch from now() - created_at)::double precision)
  from (select created_at from search_outbox where failure is not null limit max_rows) found $$;
