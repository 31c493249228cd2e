-- Projections of runs; Temporal is the authority. Inputs and outputs are `json`, not `jsonb`: they are returned
-- unchanged and never searched.

create table jobs (
  job_id text primary key,
  workspace_id uuid not null default :tenant references workspaces,
  brain_id uuid references brains,
  root_job_id text not null,
  -- Null for outermost runs.
  parent_job_id text,
  parent_key text,
  kind text not null default 'pathway',
  pathway_id uuid,
  pathway_version integer,
  asset_id uuid,
  neuron_id uuid,
  neuron_version integer,
  receptor_id uuid,
  trace_id uuid,
  turn integer,
  title text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'waiting', 'paused', 'completed', 'failed')),
  -- Number of the last status change; older changes that arrive late have no effect.
  status_seq integer not null default 0,
  progress json,
  current_step text,
  requester text not null,
  input json,
  result json,
  failed_reason text,
  failed_code text,
  cancelled_by text,
  receipt json,
  usage jsonb not null default '{"usd": 0, "input_tokens": 0, "output_tokens": 0}',
  created_at timestamptz not null default now(),
  processed_at timestamptz,
  finished_at timestamptz,
  requester_brains uuid[],
  child_runs integer not null default 0,
  purged_at timestamptz,
  meeting_id text generated always as (case when kind = 'meeting' then input ->> 'meeting_id' end) stored,
  -- The recording that a transcription was given, until it is purged.
  audio_sha256 text generated always as (case when kind = 'transcribe' then input ->> 'sha256' end) stored,
  failed_node_key text,
  reserved_usd numeric not null default 0,
  -- The credential that started it. Null for child runs.
  credential text,
  trigger_id uuid,
  definition json,
  people text[] not null,
  rights text[] not null default '{}',
  -- The thread whose message started the run. The run is none of its turns.
  source_trace_id uuid,
  labels text[]
);
create index jobs_by_asset on jobs (workspace_id, asset_id, created_at desc, job_id desc) where asset_id is not null;
create index jobs_by_audio on jobs (workspace_id, audio_sha256) where audio_sha256 is not null;
create index jobs_by_end on jobs (workspace_id, finished_at) where parent_job_id is null and trace_id is null;
create index jobs_by_error on jobs (workspace_id, failed_code, created_at desc, job_id desc)
  where failed_code is not null;
create index jobs_by_meeting on jobs (workspace_id, meeting_id) where meeting_id is not null;
create index jobs_by_neuron on jobs (workspace_id, neuron_id, created_at desc, job_id desc)
  where neuron_id is not null;
create index jobs_by_parent on jobs (parent_job_id) where parent_job_id is not null;
create index jobs_by_pathway on jobs (workspace_id, pathway_id, created_at desc, job_id desc);
create index jobs_by_receptor on jobs (workspace_id, receptor_id, created_at desc, job_id desc)
  where receptor_id is not null;
create index jobs_by_requester on jobs (workspace_id, requester, created_at desc, job_id desc);
create index jobs_by_source_trace on jobs (source_trace_id) where source_trace_id is not null;
create index jobs_by_status on jobs (workspace_id, status, created_at desc, job_id desc);
create index jobs_by_time on jobs (workspace_id, created_at desc, job_id desc);
create index jobs_by_trigger on jobs (workspace_id, trigger_id, created_at desc, job_id desc)
  where trigger_id is not null;
create unique index jobs_by_turn on jobs (trace_id, turn) where trace_id is not null;
-- The open runs of a version, oldest first.
create index jobs_by_version on jobs (workspace_id, pathway_id, pathway_version, created_at, job_id)
  where status not in ('completed', 'failed');
create index jobs_completed_by_kind on jobs (workspace_id, kind, created_at desc)
  where status = 'completed' and parent_job_id is null;
create index jobs_in_flight on jobs (workspace_id)
  where parent_job_id is null and status not in ('completed', 'failed');
create index jobs_open on jobs (status, created_at) where status in ('pending', 'running', 'waiting', 'paused');

-- The latest milestone of each node of a run.
create table job_nodes (
  workspace_id uuid not null default :tenant references workspaces,
  job_id text not null references jobs on delete cascade,
  key text not null,
  node_id text not null,
  node_type text not null,
  title text,
  status text not null,
  at timestamptz not null,
  -- Orders milestones of the same millisecond.
  rank smallint not null,
  attempt integer,
  port text,
  output json,
  error json,
  transcript text,
  started_at timestamptz,
  finished_at timestamptz,
  input json,
  failed_attempts jsonb,
  origin_job_id text,
  labels text[],
  covers json,
  is_given boolean,
  sent json,
  primary key (job_id, key)
);

-- Runs that continue another run from one of its nodes.
create table job_forks (
  workspace_id uuid not null default :tenant references workspaces,
  job_id text primary key references jobs on delete cascade,
  origin_job_id text not null,
  kind text not null check (kind in ('fork', 'retry', 'reopen')),
  -- Null for a retry of all that was not completed.
  from_key text,
  actor text not null,
  reason text,
  -- Names of what differs from the run: input, pathway_version, keys of outputs.
  changes json not null,
  created_at timestamptz not null default now(),
  decisions json not null default '{"asked_again": [], "kept": [], "repeated": []}'
);
create index job_forks_by_origin on job_forks (workspace_id, origin_job_id, created_at);

-- Moves of runs to other versions of their pathways.
create table job_migrations (
  workspace_id uuid not null default :tenant references workspaces,
  job_id text not null references jobs on delete cascade,
  id uuid not null,
  from_version integer not null,
  to_version integer not null,
  actor text not null,
  at timestamptz not null,
  undone_by text,
  undone_at timestamptz,
  primary key (job_id, id)
);

-- The runs of a bulk job, in its order, and the outcome of each.
create table bulk_items (
  workspace_id uuid not null default :tenant references workspaces,
  job_id text not null references jobs on delete cascade,
  -- The run. It may be removed before the bulk job.
  run_id text not null,
  run_brain_id uuid,
  ordinal bigint generated always as identity,
  -- When the operation began: from then on the run may have received it.
  begun_at timestamptz,
  outcome text check (outcome in ('done', 'skipped', 'failed')),
  code text,
  message text,
  at timestamptz,
  unanswered integer not null default 0,
  primary key (job_id, run_id)
);
create index bulk_items_by_outcome on bulk_items (job_id, outcome, ordinal);
create index bulk_items_open on bulk_items (job_id, ordinal) where outcome is null;

-- Large payloads of Temporal, read by workflow id and hash without a workspace.
create table run_payloads (
  job_id text not null,
  sha256 text not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (job_id, sha256)
);

-- What a run writes late does not come back once its job was purged. The lock makes it wait for a purge in progress.
create function skip_purged() returns trigger language plpgsql as $$
declare purged timestamptz;
begin
  select purged_at into purged from jobs where job_id = new.job_id for key share;
  if purged is not null then return null; end if;
  return new;
end $$;
create trigger job_nodes_skip_purged before insert on job_nodes
  for each row execute function skip_purged();
