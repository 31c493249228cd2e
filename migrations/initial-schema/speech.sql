-- Audio and its transcripts.

-- Pieces for the speech service with its answers, so that none is sent twice. Bytes are deleted when the job ends.
create table audio_pieces (
  workspace_id uuid not null default :tenant references workspaces,
  job_id text not null references jobs on delete cascade,
  -- The audio within the job: a node of a pathway, or a piece of a meeting.
  key text not null,
  ordinal integer not null,
  -- Seconds.
  start double precision not null,
  duration double precision not null,
  format text not null,
  bytes bytea,
  answer json,
  primary key (job_id, key, ordinal)
);
alter table audio_pieces alter column bytes set storage external;
create trigger audio_pieces_skip_purged before insert on audio_pieces
  for each row execute function skip_purged();

-- The audio of meetings, piece by piece.
create table meeting_audio (
  workspace_id uuid not null default :tenant references workspaces,
  meeting_id uuid not null references resources on delete cascade,
  seq integer not null,
  sha256 text not null,
  size integer not null,
  format text not null,
  speaker text,
  -- Seconds: start as sent, duration as measured.
  start double precision,
  duration double precision,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
  answer json,
  error json,
  primary key (meeting_id, seq)
);
create index meeting_audio_by_content on meeting_audio (workspace_id, sha256);

-- The job that transcribes a meeting. The stream is known before the first audio, so jobs may have no row yet.
create table meeting_runs (
  workspace_id uuid not null default :tenant references workspaces,
  meeting_id uuid primary key references resources on delete cascade,
  job_id text not null unique,
  -- Set when the meeting ends: further audio is refused.
  closing boolean not null default false
);
