import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Schema files, in order. A file refers only to tables of earlier files. */
const FILES = [
  'access',
  'audit',
  'resources',
  'documents',
  'search',
  'runs',
  'people',
  'agents',
  'tools',
  'speech',
  'triggers',
  'webhooks',
  'stakeholders',
]

/** In the files, `:tenant` is the workspace set for the transaction. */
export class InitialSchema1795824000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const file of FILES) {
      const sql = readFileSync(join(import.meta.dirname, 'initial-schema', `${file}.sql`), 'utf8')
      await runner.query(sql.replaceAll(':tenant', TENANT))
    }
    const tables: { name: string }[] = await runner.query(`
      select relname as name from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'workspace_id'`)
    await enableTenantPolicy(
      runner,
      tables.map(({ name }) => name),
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$
      declare statement text;
      begin
        for statement in
          select format('drop table %I cascade', relname) from pg_class
           where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
          union all
          select format('drop function %s', oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace
        loop
          execute statement;
        end loop;
        drop sequence resource_revisions;
      end $$`)
  }
}
