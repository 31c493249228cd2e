import type { MigrationInterface, QueryRunner } from 'typeorm'

const OPEN = `status in ('pending', 'running', 'waiting', 'paused')`
const TABLES = ['jobs', 'interventions', 'event_outbox', 'search_outbox', 'webhook_deliveries']

/** Counts and ages of what is open or waits in all workspaces, for the metrics of the service. */
export class Backlog1795700000601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index jobs_open on jobs (status, created_at) where ${OPEN};
      create index interventions_open on interventions (opened_at) where status = 'open' and opened_at is not null;
    `)
    // The policies hold for the owner of the function alone: the app sees the numbers, and no rows of other workspaces.
    for (const table of TABLES)
      await runner.query(`create policy backlog on ${table} for select to current_user using (true)`)
    await runner.query(`
      create function read_backlog(max_rows integer)
        returns table (name text, status text, total bigint, oldest_seconds double precision)
        language sql stable security definer set search_path = public, pg_temp as $$
          select 'runs', state.status,
                 (select count(*) from (select 1 from jobs where ${OPEN} and jobs.status = state.status limit max_rows) found),
                 (select ${age('created_at')} from jobs where ${OPEN} and jobs.status = state.status
                   order by created_at limit 1)
            from (values ('pending'), ('running'), ('waiting'), ('paused')) state (status)
          union all
          select 'interventions', null,
                 (select count(*) from (select 1 from interventions
                   where status = 'open' and opened_at is not null limit max_rows) found),
                 (select ${age('opened_at')} from interventions
                   where status = 'open' and opened_at is not null order by opened_at limit 1)
          union all
          select 'events', null,
                 (select count(*) from (select 1 from event_outbox limit max_rows) found),
                 (select ${age('created_at')} from event_outbox order by id limit 1)
          union all
          select 'index_entries', null,
                 (select count(*) from (select 1 from search_outbox limit max_rows) found),
                 (select ${age('created_at')} from search_outbox order by id limit 1)
          union all
          select 'webhook_starts', null, count(*), max(${age('start_due_at')})
            from (select start_due_at from webhook_deliveries
                   where start_due_at is not null and start_due_at <= now() limit max_rows) found
        $$;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function read_backlog')
    for (const table of TABLES) await runner.query(`drop policy backlog on ${table}`)
    await runner.query('drop index jobs_open, interventions_open')
  }
}

function age(column: string): string {
  return `extract(epoch from now() - ${column})::double precision`
}
