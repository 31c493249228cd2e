-- Secrets of tools, and toolkits of the MCP server.

-- Encrypted values that tools send.
create table secrets (
  workspace_id uuid not null default :tenant references workspaces,
  name text not null,
  -- The hosts that the value may be sent to.
  hosts text[] not null,
  -- Encrypted with the key of this id, for this workspace, name and hosts.
  value bytea not null,
  key_id text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, name)
);

-- Pathways and neurons that the MCP server offers as tools.
create table mcp_toolkits (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  slug text not null,
  name text not null,
  description text,
  -- In the order of the list: [{type, id, name, description}]. The id is that of a resource, which may be deleted.
  tools jsonb not null,
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mcp_toolkits_slug unique (workspace_id, slug)
);
create index mcp_toolkits_by_time on mcp_toolkits (workspace_id, created_at, id);
