import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['audio_pieces', 'meeting_runs', 'meeting_audio']

/** Audio and its transcripts. */
export class Speech1795349100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Pieces for the speech service with its answers, so that none is sent twice. Bytes are deleted when the job ends.
      create table audio_pieces (
        workspace_id uuid not null default ${TENANT} references workspaces,
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

      -- The job that transcribes a meeting. The stream is known before the first audio, so jobs may have no row yet.
      create table meeting_runs (
        workspace_id uuid not null default ${TENANT} references workspaces,
        meeting_id uuid primary key references resources on delete cascade,
        job_id text not null unique,
        -- Set when the meeting ends: further audio is refused.
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
        -- Seconds: start as sent, duration as measured.
        start double precision,
        duration double precision,
        status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
        answer json,
        error json,
        primary key (meeting_id, seq)
      );
    `)
    await enableTenantPolicy(runner, TABLES)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}`)
  }
}
