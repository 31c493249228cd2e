import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What repeats messages of a thread: runs that a message has started, and firings with their events. */
export class SourceThreads1798000000402 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The thread whose message started the run. The run is none of its turns.
      alter table jobs add column source_trace_id uuid;
      create index jobs_by_source_trace on jobs (source_trace_id) where source_trace_id is not null;

      alter table trigger_firings add column trace_id text generated always as (event ->> 'trace_id') stored;
      create index trigger_firings_by_trace on trigger_firings (trace_id) where trace_id is not null;
      alter table trigger_events add column trace_id text generated always as (event ->> 'trace_id') stored;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table trigger_events drop column trace_id;
      alter table trigger_firings drop column trace_id;
      alter table jobs drop column source_trace_id;
    `)
  }
}
