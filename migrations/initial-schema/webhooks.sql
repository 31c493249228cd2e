-- The outbox of events, which triggers fill in the transaction of a change, and webhooks with their deliveries.

create table event_outbox (
  id bigint generated always as identity primary key,
  -- Written by triggers only, so that a foreign key would check what they have just read.
  workspace_id uuid not null default :tenant,
  -- The brain that the event belongs to; null for the workspace.
  brain_id uuid,
  event_id uuid not null default gen_random_uuid(),
  type text not null,
  -- The fields of the event beside id, type and time.
  subject json not null,
  at text not null default to_char((now() AT TIME ZONE 'utc'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  created_at timestamptz not null default now(),
  -- The run whose activity has caused the event, or the request.
  cause text default nullif(current_setting('app.request_id', true), '')
);
create policy publishing_delete on event_outbox for delete using (current_setting('app.publishing', true) = 'on');
create policy publishing_select on event_outbox for select using (current_setting('app.publishing', true) = 'on');

create table webhooks (
  id uuid primary key,
  workspace_id uuid not null default :tenant references workspaces,
  -- The brain whose events are delivered, with those of the workspace; null for the events of all brains.
  brain_id uuid references brains,
  url text not null,
  description text,
  event_types text[] not null,
  -- Encrypted. The previous secret signs, too, until its end.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhooks_by_workspace on webhooks (workspace_id, created_at desc, id desc);
create policy publishing_select on webhooks for select using (current_setting('app.publishing', true) = 'on');

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null default :tenant references workspaces,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id uuid not null,
  event_type text not null,
  -- The bytes that are signed and sent, the same at every attempt.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Attempts since the delivery or its replay was requested.
  attempts integer not null default 0,
  -- The latest attempts, also those before a replay.
  attempt_log jsonb not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- When to start the workflow, again if it has not begun by then; null once it has.
  start_due_at timestamptz default now(),
  constraint webhook_deliveries_event unique (webhook_id, event_id)
);
create index webhook_deliveries_by_time on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;
create index webhook_deliveries_unstarted on webhook_deliveries (workspace_id, start_due_at)
  where start_due_at is not null;
create policy publishing_delete on webhook_deliveries for delete using (current_setting('app.publishing', true) = 'on');
create policy publishing_insert on webhook_deliveries for insert with check (current_setting('app.publishing', true) = 'on');
create policy publishing_select on webhook_deliveries for select using (current_setting('app.publishing', true) = 'on');
create policy publishing_update on webhook_deliveries for update using (current_setting('app.publishing', true) = 'on')
  with check (current_setting('app.publishing', true) = 'on');

-- Wakes a publisher that sleeps, which holds the lock. Transactions that notify commit one after the other, so
-- that others only share the lock: the publisher does not sleep before they have ended.
create function wake_publisher() returns trigger language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(5702111403) then
    perform pg_notify('ganglion_events', '');
  end if;
  return null;
end $$;
create trigger event_outbox_inserted after insert on event_outbox
  for each statement execute function wake_publisher();

create function announce_disabled_webhook() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    values (new.workspace_id, new.brain_id, 'webhook.disabled', json_build_object('webhook',
      json_build_object('id', new.id, 'reason', new.disabled_reason, 'brain_id', new.brain_id)));
  return null;
end $$;
create trigger webhooks_disabled_announced after update of disabled_at on webhooks
  for each row when ((old.disabled_at is null) and new.disabled_at is not null) execute function announce_disabled_webhook();

create function announce_indexing() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select head.workspace_id, head.brain_id, 'resource.indexed',
           json_build_object('resource', json_build_object('id', head.id, 'type', head.kind, 'slug', head.slug,
             'version', head.version, 'path', head.path, 'brain_id', head.brain_id))
      from resources head
     where head.id = new.resource_id and head.revision = new.revision and head.deleted_at is null;
  return null;
end $$;
create trigger search_state_announced after update of revision on search_state
  for each row when (new.index_name is not null and new.revision <> old.revision) execute function announce_indexing();

create function announce_intervention() returns trigger language plpgsql as $$
declare
  is_new boolean := tg_op = 'INSERT';
  opened boolean := new.opened_at is not null and (is_new or old.opened_at is null);
  closed boolean := new.status <> 'open' and (is_new or old.status = 'open');
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select new.workspace_id, job.brain_id, happened.type,
           json_build_object('intervention', json_build_object('id', new.id, 'job_id', new.job_id,
             'root_job_id', new.root_job_id, 'kind', new.kind, 'status', new.status, 'brain_id', job.brain_id))
      from jobs job,
           (values (1, 'intervention.requested', opened),
                   (2, 'intervention.' || case new.status when 'decided' then 'answered' else new.status end, closed)
           ) happened (place, type, applies)
     where job.job_id = new.job_id and happened.applies
     order by happened.place;
  return null;
end $$;
create trigger interventions_announced after insert or update of status, opened_at on interventions
  for each row execute function announce_intervention();

create function announce_intervention_change() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select new.workspace_id, job.brain_id, 'intervention.' || new.change,
           json_build_object('intervention', json_build_object('id', task.id, 'job_id', task.job_id,
             'root_job_id', task.root_job_id, 'kind', task.kind, 'status', task.status, 'brain_id', job.brain_id))
      from interventions task join jobs job on job.job_id = task.job_id
     where task.id = new.intervention_id;
  return null;
end $$;
create trigger intervention_changes_announced after insert on intervention_changes
  for each row execute function announce_intervention_change();

create function announce_job_start() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    values (new.workspace_id, new.brain_id, 'job.started',
            json_strip_nulls(json_build_object('job', json_build_object('id', new.job_id, 'kind', new.kind,
              'status', new.status, 'root_job_id', new.root_job_id, 'parent_job_id', new.parent_job_id,
              'pathway_id', new.pathway_id, 'neuron_id', new.neuron_id, 'receptor_id', new.receptor_id,
              'asset_id', new.asset_id, 'trace_id', new.trace_id, 'brain_id', new.brain_id))));
  return null;
end $$;
create trigger jobs_inserted_announced after insert on jobs
  for each row execute function announce_job_start();

create function announce_job_status() returns trigger language plpgsql as $$
declare
  event_type text := case
    when new.status = 'failed' and new.failed_code = 'CANCELLED' then 'job.cancelled'
    when new.status in ('waiting', 'paused', 'completed', 'failed') then 'job.' || new.status
    when new.status = 'running' and old.status in ('waiting', 'paused') then 'job.resumed' end;
begin
  if event_type is not null then
    insert into event_outbox (workspace_id, brain_id, type, subject)
      values (new.workspace_id, new.brain_id, event_type,
              json_strip_nulls(json_build_object('job', json_build_object('id', new.job_id, 'kind', new.kind,
              'status', new.status, 'root_job_id', new.root_job_id, 'parent_job_id', new.parent_job_id,
              'pathway_id', new.pathway_id, 'neuron_id', new.neuron_id, 'receptor_id', new.receptor_id,
              'asset_id', new.asset_id, 'trace_id', new.trace_id, 'brain_id', new.brain_id))));
  end if;
  return null;
end $$;
create trigger jobs_status_announced after update of status on jobs
  for each row when (new.status <> old.status) execute function announce_job_status();

create function announce_new_resources() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select head.workspace_id, head.brain_id, 'resource.created',
           json_build_object('resource', json_build_object('id', head.id, 'type', head.kind, 'slug', head.slug,
             'version', head.version, 'path', head.path, 'brain_id', head.brain_id)) from changed head;
  return null;
end $$;
create trigger resources_inserted_announced after insert on resources
  referencing new table as changed for each statement execute function announce_new_resources();

create function announce_resource_changes() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select head.workspace_id, head.brain_id, kind_of_change.type,
           json_build_object('resource', json_build_object('id', head.id, 'type', head.kind, 'slug', head.slug,
             'version', head.version, 'path', head.path, 'brain_id', head.brain_id))
      from changed head join former using (id),
           lateral (values
             (1, 'resource.deleted', former.deleted_at is null and head.deleted_at is not null),
             (2, 'resource.restored', former.deleted_at is not null and head.deleted_at is null),
             (3, 'resource.moved', head.deleted_at is null
                and (former.path, former.brain_id) is distinct from (head.path, head.brain_id)),
             (4, 'resource.updated', head.deleted_at is null
                and (former.version, former.title) is distinct from (head.version, head.title))
           ) kind_of_change (place, type, applies)
     where kind_of_change.applies
     order by head.id, kind_of_change.place;
  return null;
end $$;
create trigger resources_updated_announced after update on resources
  referencing old table as former new table as changed for each statement execute function announce_resource_changes();

create function announce_trigger_health() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select head.workspace_id, head.brain_id, 'trigger.health_changed', json_build_object('trigger',
             json_build_object('id', head.id, 'slug', head.slug, 'health', new.health, 'reason', new.health_reason,
                               'brain_id', head.brain_id))
      from resources head where head.id = new.trigger_id and head.deleted_at is null;
  return null;
end $$;
create trigger trigger_health_announced after update of health on trigger_states
  for each row when (new.health <> old.health) execute function announce_trigger_health();

create function read_backlog(max_rows integer)
returns table (name text, status text, total bigint, oldest_seconds double precision)
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
select 'runs', state.status,
       (select count(*) from (
         select 1 from jobs where status in ('pending', 'running', 'waiting', 'paused') and jobs.status = state.status
          limit max_rows) found),
       (select extract(epoch from now() - created_at)::double precision from jobs
         where status in ('pending', 'running', 'waiting', 'paused') and jobs.status = state.status
         order by created_at limit 1)
  from (values ('pending'), ('running'), ('waiting'), ('paused')) state (status)
union all
select 'interventions', null,
       (select count(*) from (select 1 from interventions
         where status = 'open' and opened_at is not null limit max_rows) found),
       (select extract(epoch from now() - opened_at)::double precision from interventions
         where status = 'open' and opened_at is not null order by opened_at limit 1)
union all
select 'events', null,
       (select count(*) from (select 1 from event_outbox limit max_rows) found),
       (select extract(epoch from now() - created_at)::double precision from event_outbox order by id limit 1)
union all
select 'index_entries', null,
       (select count(*) from (select 1 from search_outbox limit max_rows) found),
       (select extract(epoch from now() - created_at)::double precision from search_outbox order by id limit 1)
union all
select 'webhook_starts', null, count(*), max(extract(epoch from now() - start_due_at)::double precision)
  from (select start_due_at from webhook_deliveries
         where start_due_at is not null and start_due_at <= now() limit max_rows) found $$;
