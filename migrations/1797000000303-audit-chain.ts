import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions of the sealer, which looks for workspaces with entries to seal. */
const SEALING = `current_setting('app.sealing', true) = 'on'`

/** The audit log of a workspace as a chain of hashes. Writers only note what is to be sealed. */
export class AuditChain1797000000303 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One seal for each entry, in an order of its own: entries commit in any order.
      create table audit_seals (
        workspace_id uuid not null default ${TENANT} references workspaces,
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
        workspace_id uuid not null default ${TENANT},
        audit_id bigint not null,
        primary key (workspace_id, audit_id)
      );

      create function note_unsealed_entries() returns trigger language plpgsql as $$
      begin
        insert into audit_unsealed (workspace_id, audit_id) select workspace_id, id from added;
        return null;
      end $$;

      -- The owner of the tables reads the rows of all workspaces.
      alter table audit_log no force row level security;
      insert into audit_unsealed (workspace_id, audit_id) select workspace_id, id from audit_log;
      alter table audit_log force row level security;

      create trigger audit_log_noted after insert on audit_log
        referencing new table as added for each statement execute function note_unsealed_entries();

      create or replace function expire_audit_log(before timestamptz, max_rows integer) returns bigint
        language sql security definer set search_path = public, pg_temp as $$
          with expired as (
            delete from audit_log where id in (
              select id from audit_log
               where workspace_id = ${TENANT} and at < least(before, now() - interval '365 days')
               order by at limit max_rows)
            returning id
          ), marked as (
            update audit_seals set expired_at = now()
             where workspace_id = ${TENANT} and audit_id in (select id from expired)
          ) select count(*) from expired
        $$;
    `)
    await enableTenantPolicy(runner, ['audit_seals', 'audit_unsealed'])
    await runner.query(`create policy sealing_select on audit_unsealed for select using (${SEALING})`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function expire_audit_log(before timestamptz, max_rows integer) returns bigint
        language sql security definer set search_path = public, pg_temp as $$
          with expired as (
            delete from audit_log where id in (
              select id from audit_log
               where workspace_id = ${TENANT} and at < least(before, now() - interval '365 days')
               order by at limit max_rows)
            returning 1
          ) select count(*) from expired
        $$;
      drop trigger audit_log_noted on audit_log;
      drop function note_unsealed_entries();
      drop table audit_unsealed, audit_seals;
    `)
  }
}
