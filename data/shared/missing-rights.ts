import type { Tx } from './database.ts'
import { select } from './statements.ts'
import { text } from './table.ts'

/**
 * Lists the privileges, row-level security settings and metrics policies that are missing for the app role in the
 * database.
 */
export async function findMissingRights(tx: Tx): Promise<string[]> {
  const rows = await select(
    tx,
    { problem: text() },
    `with tables as (
       select oid, relname as name, relrowsecurity and relforcerowsecurity as is_secured,
              exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'workspace_id' and not attisdropped)
                as is_owned
         from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     ), counting as (
       select array_agg(distinct pg_get_userbyid(proowner)) as owners, count(*) as total,
              bool_and(has_function_privilege(oid, 'execute')) as is_callable
         from pg_proc where proname in ('read_backlog', 'read_index_failures')
                        and pronamespace = 'public'::regnamespace
     )
     select 'the tables are missing' as problem where not exists (select from tables where name = 'jobs')
     union all
     select 'the role ' || current_user || ' may not read ' || name from tables where not has_table_privilege(oid, 'select')
     union all
     select name || ' has no row-level security' from tables where is_owned and not is_secured
     union all
     select name || ' has no policy of its workspace' from tables
      where is_owned and not exists (select from pg_policies where schemaname = 'public' and tablename = name
                                                               and policyname = 'tenant')
     union all
     select 'the functions of the metrics are missing' from counting where total < 2 or not is_callable
     union all
     select name || ' has no policy of the metrics' from tables, counting
      where name in ('jobs', 'interventions', 'event_outbox', 'search_outbox', 'webhook_deliveries')
        and not exists (select from pg_policies where schemaname = 'public' and tablename = name
                                                  and policyname = 'backlog' and owners <@ roles)`,
  )
  return rows.map(({ problem }) => problem)
}
