-- Workspaces, their brains and members, credentials, and what runs of a workspace use.

create table workspaces (
  id uuid primary key,
  slug text not null constraint workspaces_slug unique,
  name text not null,
  created_at timestamptz not null default now(),
  default_brain_id uuid not null,
  -- Null: the default plan of the installation.
  plan text,
  trial_ends_at timestamptz,
  -- How long votes are kept after their run is gone. Null: without end.
  evidence_days integer check (evidence_days >= 365)
);
alter table workspaces enable row level security;
alter table workspaces force row level security;
-- A caller that knows a slug may read that one row.
create policy by_slug on workspaces for select using (slug = nullif(current_setting('app.workspace_slug', true), ''));
create policy indexing on workspaces for select using (current_setting('app.indexing', true) = 'on');
create policy tenant on workspaces using (id = :tenant) with check (id = :tenant);

create table brains (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  name text not null,
  created_at timestamptz not null default now(),
  default_map_id uuid,
  constraint brains_of_workspace unique (workspace_id, id)
);
create index brains_by_default_map on brains (default_map_id) where default_map_id is not null;
create index brains_by_workspace on brains (workspace_id, created_at);

alter table workspaces add constraint workspaces_default_brain
  foreign key (id, default_brain_id) references brains (workspace_id, id)
  deferrable initially deferred;

create table members (
  workspace_id uuid not null default :tenant references workspaces,
  actor text not null,
  groups text[] not null default '{}',
  role text not null default 'builder',
  constraint members_role check (role in ('owner', 'admin', 'builder', 'operator', 'reviewer', 'viewer')),
  primary key (workspace_id, actor)
);

-- API keys, publishable keys, share tokens, sessions, sign-in links and addresses of webhook triggers.
create table credentials (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  name text not null,
  actor text,
  groups text[] not null default '{}',
  brain_ids uuid[],
  prefix text not null,
  hmac bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  owner text,
  default_brain_id uuid,
  kind text not null,
  -- Null for the permissions of the kind.
  permissions text[],
  -- What a share token opens.
  target_type text,
  target_id uuid,
  rights text[],
  max_uses integer,
  uses integer not null default 0,
  created_by text,
  last_used_at timestamptz,
  constraint credentials_kind check (
    kind in ('api_key', 'publishable_key', 'share_token', 'session', 'sign_in_link', 'hook_token')
  ),
  constraint credentials_max_uses check (max_uses > 0),
  constraint credentials_target check (kind in ('share_token', 'hook_token') = (target_id is not null)),
  constraint credentials_target_type check (target_type in ('receptor', 'trace')),
  constraint credentials_uses check ((max_uses is null) or (uses <= max_uses)),
  constraint credentials_prefix unique (workspace_id, prefix),
  constraint credentials_default_brain foreign key (workspace_id, default_brain_id) references brains (workspace_id, id)
);
create index credentials_by_actor on credentials (workspace_id, actor) where actor is not null;
create index credentials_by_end on credentials (workspace_id, least(revoked_at, expires_at));
create index credentials_by_kind on credentials (workspace_id, kind, created_at, id);
create index credentials_by_target on credentials (workspace_id, target_id) where kind = 'hook_token';

create table usage_events (
  id bigint generated always as identity primary key,
  workspace_id uuid not null default :tenant references workspaces,
  -- Null for embeddings.
  job_id text,
  key text not null,
  attempt integer not null,
  kind text not null default 'model',
  model text,
  input_tokens bigint not null,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null,
  audio_seconds numeric not null default 0,
  usd numeric not null,
  at timestamptz not null default now(),
  constraint usage_events_attempt unique (job_id, key, attempt)
);
create index usage_events_by_time on usage_events (workspace_id, at);

-- What a workspace has spent in a month.
create table monthly_spend (
  workspace_id uuid not null default :tenant references workspaces,
  -- The first day of the month, by UTC.
  month date not null,
  usd numeric not null,
  primary key (workspace_id, month)
);

-- Requests that were made with an `Idempotency-Key`, and their responses.
create table idempotency_keys (
  workspace_id uuid not null default :tenant references workspaces,
  key text not null,
  route text not null,
  body_hash text not null,
  target text not null,
  claim uuid not null,
  response json,
  expires_at timestamptz not null,
  primary key (workspace_id, key)
);
create index idempotency_keys_by_expiry on idempotency_keys (workspace_id, expires_at);

create function add_monthly_spend() returns trigger language plpgsql as $$
begin
  insert into monthly_spend (workspace_id, month, usd)
    values (new.workspace_id, date_trunc('month', new.at at time zone 'utc')::date, new.usd)
    on conflict (workspace_id, month) do update set usd = monthly_spend.usd + excluded.usd;
  return null;
end $$;
-- Deferred, so that the row of the month is locked only while its transaction commits, after all other rows.
create constraint trigger usage_events_spend after insert on usage_events
  deferrable initially deferred for each row when (new.usd > 0) execute function add_monthly_spend();
