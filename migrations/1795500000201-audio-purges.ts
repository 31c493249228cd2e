import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The columns by which a purge finds the jobs and the transcript of a meeting, and the jobs that need a recording. */
export class AudioPurges1795500000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs
        add column meeting_id text generated always as
          (case when kind = 'meeting' then input ->> 'meeting_id' end) stored,
        -- The recording that a transcription was given, until it is purged.
        add column audio_sha256 text generated always as
          (case when kind = 'transcribe' then input ->> 'sha256' end) stored;
      create index jobs_by_meeting on jobs (workspace_id, meeting_id) where meeting_id is not null;
      create index jobs_by_audio on jobs (workspace_id, audio_sha256) where audio_sha256 is not null;

      -- The meeting whose transcript an artifact holds.
      alter table resources add column source_meeting_id text generated always as
        (case when kind = 'artifacts' then document #>> '{metadata,meeting_id}' end) stored;
      create index resources_by_source_meeting on resources (workspace_id, source_meeting_id)
        where source_meeting_id is not null;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index jobs_by_meeting, jobs_by_audio, resources_by_source_meeting;
      alter table resources drop column source_meeting_id;
      alter table jobs drop column meeting_id, drop column audio_sha256;
    `)
  }
}
