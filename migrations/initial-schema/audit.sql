-- The audit log, as a chain of hashes for each workspace.

create table audit_log (
  id bigint generated always as identity primary key,
  workspace_id uuid not null default :tenant references workspaces,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  details jsonb not null default '{}',
  -- The person behind the actor, and the credential.
  person text,
  key_id text,
  -- The first word of the action: what the id in target is the id of.
  target_type text generated always as (split_part(action, '.', 1)) stored not null,
  brain_id uuid,
  -- Of the transaction, so that no writer can forget it: the X-Request-Id, or the id of the job.
  request_id text default nullif(current_setting('app.request_id', true), ''),
  -- SHA-256 over the canonical JSON of the target before and after the change.
  before_hash text,
  after_hash text
);
create index audit_log_by_action on audit_log (workspace_id, action, at desc, id desc);
create index audit_log_by_actor on audit_log (workspace_id, actor, at desc, id desc);
create index audit_log_by_brain on audit_log (workspace_id, brain_id, at desc, id desc);
create index audit_log_by_target on audit_log (workspace_id, target, at desc, id desc);
create index audit_log_by_target_type on audit_log (workspace_id, target_type, at desc, id desc);
create index audit_log_by_time on audit_log (workspace_id, at desc, id desc);

-- One seal for each entry, in an order of its own: entries commit in any order.
create table audit_seals (
  workspace_id uuid not null default :tenant references workspaces,
  seq bigint not null,
  audit_id bigint not null,
  -- The time of the entry, so that one can be told that has expired.
  at text not null,
  -- SHA-256 of the entry without its id.
  row_hash text not null,
  -- SHA-256 of the hash before, the fields above and seq.
  hash text not null,
  sealed_at timestamptz not null default now(),
  -- When retention removed the entry.
  expired_at timestamptz,
  primary key (workspace_id, seq),
  unique (workspace_id, audit_id)
);
create index audit_seals_by_row on audit_seals (workspace_id, row_hash);

create table audit_unsealed (
  workspace_id uuid not null default :tenant,
  audit_id bigint not null,
  primary key (workspace_id, audit_id)
);
create policy sealing_select on audit_unsealed for select using (current_setting('app.sealing', true) = 'on');

create function note_unsealed_entries() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (workspace_id, audit_id) select workspace_id, id from added;
  return null;
end $$;
create trigger audit_log_noted after insert on audit_log
  referencing new table as added for each statement execute function note_unsealed_entries();

-- The app may not delete from the log. As its owner this function removes entries of the transaction's workspace,
-- and none that is younger than a year.
create function expire_audit_log(before timestamptz, max_rows integer) returns bigint
language sql security definer set search_path to 'public', 'pg_temp' as $$
with expired as (
  delete from audit_log where id in (
    select id from audit_log
     where workspace_id = :tenant and at < least(before, now() - interval '365 days')
     order by at limit max_rows)
  returning id
), marked as (
  update audit_seals set expired_at = now()
   where workspace_id = :tenant and audit_id in (select id from expired)
) select count(*) from expired $$;
