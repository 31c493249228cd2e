-- The state of triggers, events on their way to them, and their firings.

-- The state of each trigger beside its document.
create table trigger_states (
  trigger_id uuid primary key references resources on delete cascade,
  workspace_id uuid not null default :tenant references workspaces,
  last_fired_at timestamptz,
  -- The latest decision about an event, other than duplicates and filtered ones.
  last_decision text,
  last_reason text,
  last_decided_at timestamptz,
  -- Runs that have failed since one has completed.
  failed_runs integer not null default 0,
  -- When to bring Temporal to the state of the trigger; null once it is there.
  sync_due_at timestamptz default now(),
  -- Why that failed the last time.
  sync_error text,
  -- As announced by the latest event.
  health text not null default 'ok',
  health_reason text,
  health_at timestamptz not null default now(),
  -- Whether Temporal may have a schedule of it.
  has_schedule boolean not null default false,
  schedule_hash text
);
create index trigger_states_limited on trigger_states (last_decided_at) where health = 'over_limit';
create index trigger_states_scheduled on trigger_states (trigger_id) where has_schedule;
create index trigger_states_unsynced on trigger_states (sync_due_at) where sync_due_at is not null;
create policy publishing_select on trigger_states for select using (current_setting('app.publishing', true) = 'on');
create policy publishing_update on trigger_states for update using (current_setting('app.publishing', true) = 'on')
  with check (current_setting('app.publishing', true) = 'on');

-- The live triggers that wait for events or messages. A policy of the publisher on resources would keep all other
-- queries from the indexes of that table.
create table trigger_listeners (
  trigger_id uuid primary key references resources on delete cascade,
  workspace_id uuid not null default :tenant references workspaces,
  brain_id uuid,
  trigger_type text not null check (trigger_type in ('event', 'chat')),
  settings json not null
);
create index trigger_listeners_by_type on trigger_listeners (workspace_id, trigger_type);
create policy publishing_select on trigger_listeners for select using (current_setting('app.publishing', true) = 'on');

-- Events on their way to triggers.
create table trigger_events (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null default :tenant references workspaces,
  trigger_id uuid not null references resources on delete cascade,
  -- One firing per key.
  dedupe_key text not null,
  -- The fields of the event; those of the latest one where several are counted together.
  event json not null,
  -- When it happened.
  at timestamptz not null,
  -- The runs that have caused the events; null for what no run has.
  causes text[] not null,
  -- Events with the same key are counted together, until the row is taken.
  debounce_key text,
  merged integer not null default 1,
  -- The run of the neuron that decides about a message.
  router_job_id text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- The resources and interventions that the events are about.
  subjects text[] not null default '{}',
  trace_id text generated always as (event ->> 'trace_id') stored
);
create unique index trigger_events_debounced on trigger_events (trigger_id, debounce_key)
  where debounce_key is not null;
create index trigger_events_due on trigger_events (workspace_id, due_at);
create unique index trigger_events_key on trigger_events (trigger_id, dedupe_key);
create policy publishing_insert on trigger_events for insert with check (current_setting('app.publishing', true) = 'on');
create policy publishing_select on trigger_events for select using (current_setting('app.publishing', true) = 'on');
create policy publishing_update on trigger_events for update using (current_setting('app.publishing', true) = 'on')
  with check (current_setting('app.publishing', true) = 'on');

create table trigger_firings (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  brain_id uuid,
  trigger_id uuid not null references resources on delete cascade,
  trigger_version integer not null,
  source text not null,
  decision text not null check (decision in (
    'fired', 'filtered', 'limited', 'duplicate', 'failed_mapping', 'paused', 'target_missing', 'refused'
  )),
  reason text,
  job_id text,
  dedupe_key text not null,
  duplicate_of uuid,
  depth integer not null default 0,
  fired_by text,
  event json,
  input json,
  created_at timestamptz not null default now(),
  -- When to start the run again, in case it has not begun; null once it has.
  start_due_at timestamptz,
  -- The workflow that waits for the end of the run.
  workflow_id text,
  -- The key of a replay names the firing whose event it repeats.
  replay_of uuid generated always as (case when dedupe_key ~~ 'replay:%' then split_part(dedupe_key, ':', 2)::uuid end) stored,
  -- Who has caused the event, for a replay.
  people text[] not null default '{}',
  trace_id text generated always as (event ->> 'trace_id') stored
);
create index trigger_firings_by_age on trigger_firings (workspace_id, created_at);
create index trigger_firings_by_time on trigger_firings (trigger_id, created_at desc, id desc);
create index trigger_firings_by_trace on trigger_firings (trace_id) where trace_id is not null;
create unique index trigger_firings_key on trigger_firings (trigger_id, dedupe_key) where decision <> 'duplicate';
create index trigger_firings_unstarted on trigger_firings (start_due_at) where start_due_at is not null;
create policy publishing_select on trigger_firings for select using (current_setting('app.publishing', true) = 'on');
create policy publishing_update on trigger_firings for update using (current_setting('app.publishing', true) = 'on')
  with check (current_setting('app.publishing', true) = 'on');

-- Secrets that check the signatures of webhook requests.
create table hook_secrets (
  trigger_id uuid primary key references resources on delete cascade,
  workspace_id uuid not null default :tenant references workspaces,
  -- Encrypted. The previous secret is accepted, too, until its end.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  updated_at timestamptz not null default now(),
  -- Who has set the secrets.
  set_by text,
  previous_set_by text
);

create function note_listener() returns trigger language plpgsql as $$
declare
  type text := new.document ->> 'trigger_type';
begin
  if new.deleted_at is null and type in ('event', 'chat') and new.document -> type is not null then
    insert into trigger_listeners (trigger_id, workspace_id, brain_id, trigger_type, settings)
      values (new.id, new.workspace_id, new.brain_id, type, new.document -> type)
      on conflict (trigger_id) do update
        set brain_id = excluded.brain_id, trigger_type = excluded.trigger_type, settings = excluded.settings;
  else
    delete from trigger_listeners where trigger_id = new.id;
  end if;
  return null;
end $$;
create trigger triggers_listen after insert or update on resources
  for each row when (new.kind = 'triggers') execute function note_listener();

-- What a trigger starts is named by id or slug, so that both may begin or end to name something.
create function note_target() returns trigger language plpgsql as $$
begin
  update trigger_states set sync_due_at = now()
    from resources head
   where head.id = trigger_states.trigger_id and head.kind = 'triggers' and head.workspace_id = new.workspace_id
     and head.deleted_at is null
     and split_part(head.document -> 'target' ->> 'ref', '@', 1) in (new.id::text, new.slug, old.slug);
  return null;
end $$;
create trigger targets_noted after update of deleted_at, is_active, slug, brain_id on resources
  for each row when (new.kind in ('neurons', 'pathways', 'receptors')
    and (new.deleted_at is distinct from old.deleted_at or new.is_active is distinct from old.is_active
      or new.slug is distinct from old.slug or new.brain_id is distinct from old.brain_id))
  execute function note_target();

-- A trigger has a state from its first version on. Any change of the head may concern its schedule.
create function note_trigger() returns trigger language plpgsql as $$
begin
  insert into trigger_states (trigger_id, workspace_id) values (new.id, new.workspace_id)
    on conflict (trigger_id) do update set sync_due_at = now();
  return null;
end $$;
create trigger triggers_noted after insert or update on resources
  for each row when (new.kind = 'triggers') execute function note_trigger();

create function note_triggered_run() returns trigger language plpgsql as $$
begin
  update trigger_states
     set failed_runs = case new.status when 'failed' then failed_runs + 1 else 0 end,
         sync_due_at = case when (new.status = 'failed') <> (failed_runs > 0) then now() else sync_due_at end
   where trigger_id = new.trigger_id
     and not exists (
       select from trigger_firings firing join resources head on head.id = firing.trigger_id
        where firing.trigger_id = new.trigger_id and firing.job_id = new.job_id and firing.source = 'manual'
          and head.document ->> 'trigger_type' <> 'manual');
  return null;
end $$;
create trigger triggered_runs_noted after update of status on jobs
  for each row when (new.trigger_id is not null and new.status <> old.status and new.status in ('completed', 'failed'))
  execute function note_triggered_run();
