import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Why changes could not be indexed. They stay in the outbox, are retried, and are counted for the metrics. */
export class IndexFailures1798100000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table search_outbox add column failure text;
      create index search_outbox_failed on search_outbox (workspace_id, resource_id) where failure is not null;
      -- The policy "backlog" lets the owner of the function see the rows of all workspaces.
      create function read_index_failures(max_rows integer)
        returns table (name text, status text, total bigint, oldest_seconds double precision)
        language sql stable security definer set search_path = public, pg_temp as $$
          select 'index_failures', null, count(*), max(extract(epoch from now() - created_at)::double precision)
            from (select created_at from search_outbox where failure is not null limit max_rows) found
        $$;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function read_index_failures')
    await runner.query('alter table search_outbox drop column failure')
  }
}
