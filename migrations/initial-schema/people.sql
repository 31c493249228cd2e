-- What runs ask people, and what people answer.

create table interventions (
  workspace_id uuid not null default :tenant references workspaces,
  id text not null,
  job_id text not null references jobs on delete cascade,
  root_job_id text not null,
  node_key text,
  node_id text,
  kind text,
  title text,
  description text,
  form json,
  questions json,
  context json,
  assignees text[] not null default '{}',
  quorum integer,
  excluded text[] not null default '{}',
  due_at timestamptz,
  -- Null until the opening is known: changes may arrive in any order.
  opened_at timestamptz,
  status text not null default 'open' check (status in ('open', 'decided', 'timed_out', 'cancelled')),
  closed_at timestamptz,
  decision json,
  shown_hash text,
  -- Revision, claim and delegations. Null until somebody changes it.
  handling json,
  primary key (workspace_id, id)
);
create index interventions_by_due on interventions (workspace_id, status, due_at, opened_at, id);
create index interventions_by_job on interventions (job_id);
create index interventions_by_root on interventions (root_job_id);
create index interventions_by_status on interventions (workspace_id, status, opened_at desc, id desc);
create index interventions_by_time on interventions (workspace_id, opened_at desc, id desc);
create index interventions_open on interventions (opened_at) where status = 'open' and opened_at is not null;
create trigger interventions_skip_purged before insert on interventions
  for each row execute function skip_purged();

-- The history of an intervention: who deals with it beside its assignees, reminders and comments.
create table intervention_changes (
  workspace_id uuid not null default :tenant references workspaces,
  id uuid primary key default gen_random_uuid(),
  intervention_id text not null,
  -- Of the handling that the change led to; null for a comment.
  revision integer,
  change text not null check (
    change in ('claimed', 'released', 'reassigned', 'delegated', 'escalated', 'commented', 'reminded', 'excluded')
  ),
  -- Null for what the run did by itself.
  actor text,
  person text,
  -- Who could answer after it; null for a comment.
  assignees text[],
  comment text,
  at timestamptz not null,
  constraint intervention_changes_revision unique (workspace_id, intervention_id, revision),
  foreign key (workspace_id, intervention_id) references interventions (workspace_id, id) on delete cascade
);
create index intervention_changes_by_time on intervention_changes (workspace_id, intervention_id, at);
-- A run may report a reminder again. It has no revision, because it changes nobody's rights.
create unique index intervention_changes_reminders on intervention_changes (workspace_id, intervention_id, at)
  where change = 'reminded';

-- Votes as signed statements, which outlive their run.
-- The app inserts and reads rows (app-role.ts), and writes no recorded_at. Nothing refers to the run: it may be gone.
create table intervention_votes (
  workspace_id uuid not null default :tenant references workspaces,
  intervention_id text not null,
  -- Counts from 1 within the intervention.
  seq integer not null check (seq > 0),
  job_id text not null,
  recorded_at timestamptz not null default now(),
  -- Holds texts only as salted hashes.
  statement json not null,
  -- Null where the worker had no key.
  signature json,
  actor text generated always as (statement -> 'vote' ->> 'by') stored not null,
  person text generated always as (statement -> 'vote' ->> 'person') stored,
  -- The absent assignee for whom a substitute has answered.
  on_behalf_of text generated always as (statement -> 'vote' ->> 'on_behalf_of') stored,
  primary key (workspace_id, intervention_id, seq),
  constraint intervention_votes_actor unique (workspace_id, intervention_id, actor)
);
create index intervention_votes_by_job on intervention_votes (job_id);
create index intervention_votes_by_time on intervention_votes (workspace_id, recorded_at);

-- The texts of votes, which a purge removes.
create table vote_texts (
  workspace_id uuid not null default :tenant references workspaces,
  intervention_id text not null,
  -- That of the vote. Row 0 has the salts of what was shown to all voters, whose texts are in interventions.
  seq integer not null,
  job_id text not null references jobs on delete cascade,
  -- The comment, data and answers of the vote.
  texts json,
  -- By the name of the text.
  salts json not null,
  primary key (workspace_id, intervention_id, seq)
);
create index vote_texts_by_job on vote_texts (job_id);

-- Answers that were sent to a run and may still count.
create table pending_answers (
  workspace_id uuid not null default :tenant references workspaces,
  intervention_id text not null,
  -- The same answer has the same id.
  update_id text not null,
  job_id text not null references jobs on delete cascade,
  actor text not null,
  -- The answer with its author, as the run gets it.
  input json not null,
  at timestamptz not null default now(),
  -- The next attempt, or the end of the lease.
  due_at timestamptz not null default now(),
  primary key (workspace_id, intervention_id, update_id)
);
create index pending_answers_by_job on pending_answers (job_id);
create index pending_answers_due on pending_answers (due_at);
create policy answering_select on pending_answers for select using (current_setting('app.answering', true) = 'on');
create policy answering_update on pending_answers for update using (current_setting('app.answering', true) = 'on')
  with check (current_setting('app.answering', true) = 'on');

-- Who is away, and who answers meanwhile.
create table absences (
  workspace_id uuid not null default :tenant references workspaces,
  actor text not null,
  substitute text not null,
  starts_at timestamptz not null,
  -- Null until the end is known.
  ends_at timestamptz,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  constraint absences_substitute check (substitute <> actor),
  constraint absences_times check (ends_at > starts_at),
  primary key (workspace_id, actor)
);
create index absences_by_substitute on absences (workspace_id, substitute);

-- When people work.
create table working_calendars (
  workspace_id uuid not null default :tenant references workspaces,
  name text not null,
  time_zone text not null,
  -- Spans of local time by weekday.
  hours json not null,
  holidays text[] not null default '{}',
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, name)
);

create function refuse_vote_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('app.expiring_votes', true) = 'on' then
    return old;
  end if;
  raise exception 'Votes are kept as they were recorded: % is refused', tg_op using errcode = '42501';
end $$;
create trigger intervention_votes_kept before delete or update on intervention_votes
  for each row execute function refuse_vote_change();
create trigger intervention_votes_not_truncated before truncate on intervention_votes
  for each statement execute function refuse_vote_change();

-- Removes votes of the transaction's workspace whose time is over, those of one intervention together.
create function expire_votes(max_rows integer) returns bigint
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  expired bigint;
begin
  perform set_config('app.expiring_votes', 'on', true);
  delete from intervention_votes
   where workspace_id = :tenant and intervention_id in (
     select old.intervention_id
       from intervention_votes old join workspaces on workspaces.id = old.workspace_id
      where old.workspace_id = :tenant and old.recorded_at < now() - make_interval(days => evidence_days)
        and not exists (select from interventions where interventions.workspace_id = old.workspace_id
                                                    and interventions.id = old.intervention_id)
        and not exists (select from intervention_votes later
                         where later.workspace_id = old.workspace_id
                           and later.intervention_id = old.intervention_id
                           and later.recorded_at >= now() - make_interval(days => evidence_days))
      order by old.recorded_at limit max_rows);
  get diagnostics expired = row_count;
  perform set_config('app.expiring_votes', 'off', true);
  return expired;
end $$;
