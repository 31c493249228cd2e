import type { QueryRunner } from 'typeorm'

/** SQL expression for the workspace set for the transaction. */
export const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/** Limits table access to rows of the transaction's workspace. A statement reads the workspace once, not per row. */
export async function enableTenantPolicy(runner: QueryRunner, tables: string[]): Promise<void> {
  for (const table of tables) {
    await runner.query(`
      alter table ${table} enable row level security;
      alter table ${table} force row level security;
      create policy tenant on ${table} using (workspace_id = (select ${TENANT})) with check (workspace_id = ${TENANT});
    `)
  }
}
