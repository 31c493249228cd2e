import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`
const TABLES = ['audio_pieces', 'meeting_runs', 'meeting_audio']

/** Audio on its way to a transcript. */
export class Speech1795255620000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What is sent to the speech service, and what it answered: no piece is paid for twice. The bytes go when the
      -- job is done with them.
      create table audio_pieces (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null references jobs on delete cascade,
        -- Which audio of the job: a node of a pathway, a piece of a meeting.
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

      -- The job that listens to a meeting. The meeting's stream is known before anything is said, so there need not be
      -- a row in jobs yet.
      create table meeting_runs (
        workspace_id uuid not null default ${TENANT} references workspaces,
        meeting_id uuid primary key references resources on delete cascade,
        job_id text not null unique,
        -- Set when the meeting ends: nothing is taken from then on.
        closing boolean not null default false
      );

      create table meeting_audio (
        workspace_id uuid not null default ${TENANT} references workspaces,
        meeting_id uuid not null references resources on delete cascade,
        seq integer not null,
        sha256 text not null,
        size integer not null,
        format text not null,
        speaker text,
        -- Seconds; what the sender says, and what was found.
        start double precision,
        duration double precision,
        status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
        answer json,
        error json,
        primary key (meeting_id, seq)
      );
    `)
    for (const table of TABLES) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}`)
  }
}
