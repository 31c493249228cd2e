-- Resources of all kinds: the head with the current version, and a full snapshot of each version. Documents are
-- `json`, which keeps the order of keys: the fields of a form appear in it.

create sequence resource_revisions;

create table resources (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  brain_id uuid references brains,
  kind text not null,
  slug text not null,
  title text not null,
  path text not null default '/',
  -- The path with slashes replaced by the lowest character: a subtree is one range, and siblings sort by name.
  tree_key text generated always as (replace(path, '/', chr(1))) stored not null collate "C",
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
  deleted_at timestamptz,
  -- Set when a purge is accepted. It removes the versions, then the title and the document.
  purged_at timestamptz,
  -- The thread that a recollection comes from.
  source_trace_id text generated always as (case when kind = 'recollections' then document #>> '{source,trace_id}' end) stored,
  -- The meeting whose transcript an artifact holds.
  source_meeting_id text generated always as (case when kind = 'artifacts' then document #>> '{metadata,meeting_id}' end) stored,
  asset_name text generated always as (case when kind = 'assets' then document ->> 'file_name' end) stored
);
create index resources_by_asset_content on resources (workspace_id, asset_sha256)
  where asset_sha256 is not null and deleted_at is null;
create index resources_by_asset_name on resources (workspace_id, asset_name, path)
  where asset_name is not null and deleted_at is null;
-- By brain, so that rows that are not visible to the caller are skipped.
create index resources_by_brain_path on resources (workspace_id, brain_id, tree_key, title collate "C", id) include (kind)
  where deleted_at is null;
create index resources_by_kind on resources (workspace_id, kind, created_at desc, id desc) where deleted_at is null;
create index resources_by_path on resources (workspace_id, tree_key, title collate "C", id) include (kind, brain_id)
  where deleted_at is null;
create index resources_by_revision on resources (workspace_id, revision);
create index resources_by_source_meeting on resources (workspace_id, source_meeting_id)
  where source_meeting_id is not null;
create index resources_by_source_trace on resources (workspace_id, source_trace_id) where source_trace_id is not null;
create index resources_by_update on resources (workspace_id, kind, updated_at desc, id desc) include (brain_id)
  where deleted_at is null;
create index resources_deleted on resources (workspace_id, deleted_at) where deleted_at is not null;
create unique index resources_live_slug on resources (workspace_id, kind, slug) where deleted_at is null;
-- A source names one live asset of a brain, also after a deleted one is restored.
create unique index resources_live_source on resources (workspace_id, source_key, brain_id) nulls not distinct
  where source_key is not null and deleted_at is null;

alter table brains add foreign key (default_map_id) references resources(id) on delete set null;

create table resource_versions (
  resource_id uuid not null references resources on delete cascade,
  version integer not null check (version > 0),
  workspace_id uuid not null default :tenant references workspaces,
  title text not null,
  document json not null,
  delta jsonb,
  author text not null,
  note text,
  created_at timestamptz not null default now(),
  content_sha256 text generated always as (document ->> 'sha256') stored,
  brain_id uuid references brains,
  slug text not null,
  path text not null,
  scope text not null check (scope in ('core', 'workspace', 'brain')),
  is_active boolean not null,
  author_permissions text[] not null default '{}',
  primary key (resource_id, version)
);
create index resource_versions_by_content on resource_versions (workspace_id, content_sha256)
  where content_sha256 is not null;

create function raise_revision() returns trigger language plpgsql as $$
begin
  new.revision := nextval('resource_revisions');
  return new;
end $$;
create trigger resources_revision before update on resources
  for each row execute function raise_revision();
