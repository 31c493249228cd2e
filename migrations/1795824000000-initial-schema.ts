import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from './migration.ts'
import { TENANT, tenantPolicy } from './tenant.ts'

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
const readSchema = (file: string): string =>
  readFileSync(join(import.meta.dirname, 'initial-schema', `${file}.sql`), 'utf8').replaceAll(':tenant', TENANT)

const SECURE_TABLES = `
do $do$
declare name text;
begin
  for name in
    select relname from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'workspace_id'
  loop
    execute format($sql$${tenantPolicy('%1$I')}$sql$, name);
  end loop;
end $do$;
`

export const initialSchema: Migration = {
  id: 1795824000000,
  name: 'InitialSchema',
  oldestVersion: '0.1.0',
  change: { kind: 'schema', up: [...FILES.map(readSchema), SECURE_TABLES].join('\n'), down: null },
}
