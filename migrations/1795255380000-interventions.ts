import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/**
 * What people were asked and what they answered. News of one asking may arrive in any order, so a row can exist
 * before its opening is known: then `opened_at` is null and nobody is shown it.
 */
export class Interventions1795255380000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table interventions (
        workspace_id uuid not null default ${TENANT} references workspaces,
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
        excluded text,
        due_at timestamptz,
        opened_at timestamptz,
        status text not null default 'open' check (status in ('open', 'decided', 'timed_out', 'cancelled')),
        closed_at timestamptz,
        decision json,
        shown_hash text,
        primary key (workspace_id, id)
      );
      create index interventions_of_job on interventions (job_id);
      create index interventions_of_root on interventions (root_job_id);
      create index interventions_by_time on interventions (workspace_id, opened_at desc, id desc);
      create index interventions_by_status on interventions (workspace_id, status, opened_at desc, id desc);

      create table intervention_votes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        intervention_id text not null,
        actor text not null,
        action text not null,
        at timestamptz not null,
        comment text,
        data json,
        answers json,
        primary key (workspace_id, intervention_id, actor),
        foreign key (workspace_id, intervention_id) references interventions on delete cascade
      );
    `)
    for (const table of ['interventions', 'intervention_votes']) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table intervention_votes, interventions')
  }
}
