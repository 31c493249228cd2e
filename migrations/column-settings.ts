import type { Client } from 'pg'

/** The columns of our tables, with their tables and schemas. */
const OUR_COLUMNS = `
  pg_attribute
  join pg_class on pg_class.oid = attrelid and relkind in ('r', 'p')
  join pg_namespace on pg_namespace.oid = relnamespace and nspname = 'public'`

/**
 * Sets LZ4 for the large values of all columns that do not have it yet; stored values stay as they are. It takes a quarter of the
 * time of the default. A server that was built without LZ4 keeps the default.
 */
export async function compressByLz4(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('alter table %I.%I %s', nspname, relname,
                  string_agg(format('alter column %I set compression lz4', attname), ', ')) as statement
      from ${OUR_COLUMNS}
     where attnum > 0 and not attisdropped and attstorage in ('x', 'm') and attcompression <> 'l'
       and 'lz4' = any (select unnest(enumvals) from pg_settings where name = 'default_toast_compression')
     group by nspname, relname`)
  for (const { statement } of rows) await client.query(statement)
}

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
      from ${OUR_COLUMNS}
     where attname = 'workspace_id' and not attisdropped
       and attoptions is distinct from array['n_distinct=${WORKSPACES}']`)
  for (const { name } of rows) {
    await client.query(`alter table ${name} alter column workspace_id set (n_distinct = ${WORKSPACES})`)
    await client.query(`analyze ${name} (workspace_id)`)
  }
}
