import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Tables whose rows hold what a run was given, said and did. */
const CONTENT_OF_JOBS = ['job_nodes', 'interventions', 'neuron_runs', 'audio_pieces', 'trace_messages']

/** Marks of what was purged, and the columns and indexes by which a purge finds what it removes. */
export class Purges1795349280000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column purged_at timestamptz;
      create index jobs_by_parent on jobs (parent_job_id) where parent_job_id is not null;

      -- Set when a purge is accepted. It removes the versions, then the title and the document.
      alter table resources add column purged_at timestamptz;
      -- The thread that a recollection comes from.
      alter table resources add column source_trace_id text generated always as
        (case when kind = 'recollections' then document #>> '{source,trace_id}' end) stored;
      create index resources_by_source_trace on resources (workspace_id, source_trace_id)
        where source_trace_id is not null;
      alter table resource_versions add column content_sha256 text generated always as (document ->> 'sha256') stored;
      create index resource_versions_by_content on resource_versions (workspace_id, content_sha256)
        where content_sha256 is not null;
      create index extractions_by_text on extractions (workspace_id, text_sha256) where text_sha256 is not null;
      create index meeting_audio_by_content on meeting_audio (workspace_id, sha256);
      create index text_chunks_by_hash on text_chunks (workspace_id, sha256);
      create index chunk_vectors_by_hash on chunk_vectors (workspace_id, sha256);

      -- What a run writes late does not come back once its job was purged. The lock makes it wait for a purge in progress.
      create function skip_purged() returns trigger language plpgsql as $$
      declare purged timestamptz;
      begin
        select purged_at into purged from jobs where job_id = new.job_id for key share;
        if purged is not null then return null; end if;
        return new;
      end $$;
    `)
    for (const table of CONTENT_OF_JOBS)
      await runner.query(
        `create trigger ${table}_skip_purged before insert on ${table} for each row execute function skip_purged()`,
      )
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of CONTENT_OF_JOBS) await runner.query(`drop trigger ${table}_skip_purged on ${table}`)
    await runner.query(`
      drop function skip_purged();
      drop index jobs_by_parent, resources_by_source_trace, resource_versions_by_content, extractions_by_text,
        meeting_audio_by_content, text_chunks_by_hash, chunk_vectors_by_hash;
      alter table resource_versions drop column content_sha256;
      alter table resources drop column source_trace_id, drop column purged_at;
      alter table jobs drop column purged_at;
    `)
  }
}
