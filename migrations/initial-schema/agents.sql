-- Threads with their messages, and the pinned specification of each run of a neuron.

-- Threads.
create table traces (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  brain_id uuid references brains,
  trace_type text not null default 'user' check (trace_type in ('user', 'system')),
  title text not null,
  -- Owner of the thread.
  actor text not null,
  -- Answers messages that name no other target.
  target json,
  turns integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index traces_by_update on traces (workspace_id, trace_type, updated_at desc, id desc) where deleted_at is null;
create index traces_deleted on traces (workspace_id, deleted_at) where deleted_at is not null;

-- A turn is one run. A position belongs to one message, so writing a message again has no effect.
create table trace_messages (
  workspace_id uuid not null default :tenant references workspaces,
  trace_id uuid not null references traces on delete cascade,
  turn integer not null,
  position integer not null,
  job_id text not null,
  role text not null check (role in ('user', 'assistant', 'tool')),
  content json not null,
  at timestamptz not null default now(),
  primary key (trace_id, turn, position)
);
create trigger trace_messages_skip_purged before insert on trace_messages
  for each row execute function skip_purged();

-- The pinned neuron with its tools. Activities read it here instead of from their input.
create table neuron_runs (
  job_id text primary key references jobs on delete cascade,
  workspace_id uuid not null default :tenant references workspaces,
  spec json not null
);
create trigger neuron_runs_skip_purged before insert on neuron_runs
  for each row execute function skip_purged();
