import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Votes as signed statements that outlive their run, apart from the texts that a purge removes. */
export class DecisionProofs1798000000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table intervention_votes;

      -- The app inserts and reads rows (app-role.ts), and writes no recorded_at. Nothing refers to the run: it may be gone.
      create table intervention_votes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        intervention_id text not null,
        -- Counts from 1 within the intervention.
        seq integer not null check (seq > 0),
        job_id text not null,
        recorded_at timestamptz not null default now(),
        -- Holds texts only as salted hashes.
        statement json not null,
        -- Null where the worker had no key.
        signature json,
        actor text not null generated always as (statement -> 'vote' ->> 'by') stored,
        person text generated always as (statement -> 'vote' ->> 'person') stored,
        on_behalf_of text generated always as (statement -> 'vote' ->> 'on_behalf_of') stored,
        primary key (workspace_id, intervention_id, seq),
        constraint intervention_votes_actor unique (workspace_id, intervention_id, actor)
      );
      create index intervention_votes_by_job on intervention_votes (job_id);
      create index intervention_votes_by_time on intervention_votes (workspace_id, recorded_at);

      create table vote_texts (
        workspace_id uuid not null default ${TENANT} references workspaces,
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

      -- How long votes are kept after their run is gone. Null: without end.
      alter table workspaces add column evidence_days integer check (evidence_days >= 365);

      create function refuse_vote_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('app.expiring_votes', true) = 'on' then
          return old;
        end if;
        raise exception 'Votes are kept as they were recorded: % is refused', tg_op using errcode = '42501';
      end $$;
      create trigger intervention_votes_kept before update or delete on intervention_votes
        for each row execute function refuse_vote_change();
      create trigger intervention_votes_not_truncated before truncate on intervention_votes
        for each statement execute function refuse_vote_change();

      -- Removes votes of the transaction's workspace whose time is over, those of one intervention together.
      create function expire_votes(max_rows integer) returns bigint
        language plpgsql security definer set search_path = public, pg_temp as $$
        declare
          expired bigint;
        begin
          perform set_config('app.expiring_votes', 'on', true);
          delete from intervention_votes
           where workspace_id = ${TENANT} and intervention_id in (
             select old.intervention_id
               from intervention_votes old join workspaces on workspaces.id = old.workspace_id
              where old.workspace_id = ${TENANT} and old.recorded_at < now() - make_interval(days => evidence_days)
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
    `)
    await enableTenantPolicy(runner, ['intervention_votes', 'vote_texts'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function expire_votes;
      drop table vote_texts, intervention_votes;
      drop function refuse_vote_change;
      alter table workspaces drop column evidence_days;
      create table intervention_votes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        intervention_id text not null,
        actor text not null,
        action text not null,
        at timestamptz not null,
        comment text,
        data json,
        answers json,
        person text,
        on_behalf_of text,
        answered_as text,
        primary key (workspace_id, intervention_id, actor),
        foreign key (workspace_id, intervention_id) references interventions on delete cascade
      );
    `)
    await enableTenantPolicy(runner, ['intervention_votes'])
  }
}
