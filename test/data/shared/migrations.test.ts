import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { Tx } from '../../../data/shared/database.ts'
import { findMissingRights } from '../../../data/shared/missing-rights.ts'
import { migrations } from '../../../migrations/all.ts'
import { recordedName } from '../../../migrations/migration.ts'
import { migrate } from '../../../migrations/runner.ts'
import { inDatabase, serverUrls } from '../../support/stack/database.ts'

const urls = serverUrls()
const suffix = randomBytes(4).toString('hex')
const name = `ganglion_migrations_${suffix}`
const role = `ganglion_role_${suffix}`
const admin = inDatabase(urls.admin, name)

/** Returns the name of an app role that does not exist yet. */
function newRole(database = name): string {
  const url = new URL(inDatabase(urls.app, database))
  url.username = role
  url.password = `p'"$$ ${suffix}`
  return url.href
}

async function query<T extends object>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

afterAll(async () => {
  await query(inDatabase(urls.admin, 'postgres'), `drop database if exists ${name} with (force)`)
  await query(inDatabase(urls.admin, 'postgres'), `drop role if exists ${role}`)
})

test('two concurrent migrations create the database and the role, and run each migration once', async () => {
  const runs = await Promise.all([migrate(admin, newRole()), migrate(admin, newRole())])
  expect(runs.flatMap(run => run.applied)).toEqual(migrations.map(recordedName))
  expect(await migrate(admin, newRole())).toEqual({ applied: [], reverted: [] })
  expect(await query(newRole(), 'select count(*)::int as rows from jobs')).toEqual([{ rows: 0 }])
})

test('the app role can read the table of migrations, and cannot change it', async () => {
  const names = await query<{ name: string }>(newRole(), 'select name from migrations order by timestamp')
  expect(names.map(({ name }) => name)).toEqual(migrations.map(recordedName))
  await expect(query(newRole(), 'delete from migrations')).rejects.toMatchObject({ code: '42501' })
})

test('owner-specific objects exist whoever restored the database, and missing ones are reported', async () => {
  await migrate(admin, newRole())
  const tx: Tx = { run: async sql => ({ rows: await query(newRole(), sql), rowCount: null }) }
  const findMissing = () => findMissingRights(tx)
  expect(await findMissing()).toEqual([])
  await query(
    admin,
    'drop policy backlog on jobs; drop policy tenant on traces; revoke select on interventions from public, "' +
      role +
      '"',
  )
  expect((await findMissing()).toSorted()).toEqual([
    'jobs has no policy of the metrics',
    `the role ${role} may not read interventions`,
    'traces has no policy of its workspace',
  ])
  await query(
    admin,
    `create policy tenant on traces using (workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid)`,
  )
  await migrate(admin, newRole())
  expect(await findMissing()).toEqual([])
})

test('an owner whose search path is not "public" is rejected with instructions', async () => {
  const elsewhere = new URL(admin)
  elsewhere.searchParams.set('options', '-c search_path=other')
  await expect(migrate(elsewhere.href, newRole())).rejects.toThrow(/search path .*schema "public"/)
})

test('all large values are compressed with LZ4', async () => {
  const others = `select relname, attname from pg_attribute join pg_class on pg_class.oid = attrelid
                   where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0
                     and attstorage = 'x' and attcompression <> 'l' and not attisdropped`
  expect(await query(admin, others)).toEqual([])
})

test('a database created by other migrations is rejected', async () => {
  await query(admin, `insert into migrations (timestamp, name) values (1, 'Other1')`)
  await expect(migrate(admin, newRole())).rejects.toThrow(
    `The database ${name} was created by another version (Other1)`,
  )
  await query(admin, `delete from migrations where name = 'Other1'`)
})

test('a role that could bypass row-level security is rejected', async () => {
  await expect(migrate(admin, admin)).rejects.toThrow('can bypass row-level security')
})
