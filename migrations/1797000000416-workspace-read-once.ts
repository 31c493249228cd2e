import type { MigrationInterface, QueryRunner } from 'typeorm'
import { TENANT } from './tenant.ts'

/** Policies read the setting once for each statement, and no longer for each row. */
export class WorkspaceReadOnce1797000000416 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterPolicies(runner, `(select ${TENANT})`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterPolicies(runner, TENANT)
  }
}

async function alterPolicies(runner: QueryRunner, workspace: string): Promise<void> {
  const policies = (await runner.query(
    `select tablename from pg_policies where schemaname = 'public' and policyname = 'tenant' and tablename <> 'workspaces'`,
  )) as { tablename: string }[]
  for (const { tablename } of policies)
    await runner.query(`alter policy tenant on ${tablename} using (workspace_id = ${workspace})`)
}
