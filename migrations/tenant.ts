/** SQL expression for the workspace set for the transaction. */
export const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/**
 * Returns the statements that limit table access to rows of the transaction's workspace. A statement reads the
 * workspace once, not per row.
 */
export const tenantPolicy = (table: string): string => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy tenant on ${table} using (workspace_id = (select ${TENANT})) with check (workspace_id = ${TENANT});
`

/**
 * Returns the statements that delete rows of all workspaces. Row-level security also applies to the owner of the
 * table, so that a plain `delete` finds no rows.
 */
export const deleteRows = (table: string, where: string): string => `
alter table ${table} no force row level security;
delete from ${table} where ${where};
alter table ${table} force row level security;
`
