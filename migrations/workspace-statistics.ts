import type { Client } from 'pg'

/** How many workspaces the planner takes a table to have. */
const WORKSPACES = 4

/**
 * Has the planner expect that the rows of a workspace are a quarter of each table, or as many as those of its largest workspace
 * if these are fewer. By its own count it expects those of an average workspace, and none of one that it does not know yet: it
 * then looks for a row of a given id among all rows of the workspace.
 */
export async function expectLargeWorkspaces(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
      from pg_attribute
      join pg_class on pg_class.oid = attrelid and relkind in ('r', 'p')
      join pg_namespace on pg_namespace.oid = relnamespace and nspname = 'public'
     where attname = 'workspace_id' and not attisdropped
       and attoptions is distinct from array['n_distinct=${WORKSPACES}']`)
  for (const { name } of rows) {
    await client.query(`alter table ${name} alter column workspace_id set (n_distinct = ${WORKSPACES})`)
    await client.query(`analyze ${name} (workspace_id)`)
  }
}
