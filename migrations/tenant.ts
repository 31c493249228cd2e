import type { QueryRunner } from 'typeorm'

/** SQL of the workspace that the transaction is set to. */
export const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/** Limits the rows of the tables to those of the transaction's workspace, which a statement reads once, not for each row. */
export async function enableTenantPolicy(runner: QueryRunner, tables: string[]): Promise<void> {
  for (const table of tables) {
    await runner.query(`
      alter table ${table} enable row level security;
      alter table ${table} force row level security;
      create policy tenant on ${table} using (workspace_id = (select ${TENANT})) with check (workspace_id = ${TENANT});
    `)
  }
}
