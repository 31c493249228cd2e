-- Contents of documents, and the text that was read from them.

-- Addressed by hash. Stored uncompressed, so that a range is read without the rest.
create table contents (
  workspace_id uuid not null default :tenant references workspaces,
  sha256 text not null,
  size bigint not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, sha256)
);
alter table contents alter column bytes set storage external;

-- The text of a content, extracted once for all assets that hold it.
create table extractions (
  workspace_id uuid not null default :tenant references workspaces,
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
  page_offsets integer[],
  primary key (workspace_id, sha256, media_type),
  foreign key (workspace_id, sha256) references contents (workspace_id, sha256)
);
create index extractions_by_text on extractions (workspace_id, text_sha256) where text_sha256 is not null;
