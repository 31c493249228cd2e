import type { Migration } from './migration.ts'

/**
 * @param run condition for runs whose age counts
 * @param entry condition for changes that are waiting for the search index
 */
const defineReadBacklog = ({ run, entry }: { run: string; entry: string }): string => `
create or replace function read_backlog(max_rows integer)
returns table (name text, status text, total bigint, oldest_seconds double precision)
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
select 'runs', state.status,
       (select count(*) from (
         select 1 from jobs where status in ('pending', 'running', 'waiting', 'paused') and jobs.status = state.status
          limit max_rows) found),
       (select extract(epoch from now() - created_at)::double precision from jobs
         where status in ('pending', 'running', 'waiting', 'paused') and jobs.status = state.status
           and ${run}
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
       (select count(*) from (select 1 from search_outbox where ${entry} limit max_rows) found),
       (select extract(epoch from now() - created_at)::double precision from search_outbox
         where ${entry} order by id limit 1)
union all
select 'webhook_starts', null, count(*), max(extract(epoch from now() - start_due_at)::double precision)
  from (select start_due_at from webhook_deliveries
         where start_due_at is not null and start_due_at <= now() limit max_rows) found $$;
`

/** Messages in a thread are answered in order. The index `jobs_by_turn` finds the earlier runs. */
const WAITS_FOR_THREAD = `jobs.status = 'pending' and exists (
             select from jobs earlier
              where earlier.trace_id = jobs.trace_id and earlier.turn < jobs.turn
                and earlier.status not in ('completed', 'failed'))`

/** The backlog omits work that waits for a known reason. */
export const overdueBacklog: Migration = {
  id: 1795971700000,
  name: 'OverdueBacklog',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    // Changes that the index rejected are in read_index_failures.
    up: defineReadBacklog({ run: `not (${WAITS_FOR_THREAD})`, entry: 'failure is null' }),
    down: defineReadBacklog({ run: 'true', entry: 'true' }),
  },
}
