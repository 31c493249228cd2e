import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { openDatabase } from '../../../data/shared/database.ts'
import { initialSchema } from '../../../migrations/1795824000000-initial-schema.ts'
import { channels } from '../../../migrations/1795892506000-channels.ts'
import { files } from '../../../migrations/1795892700000-files.ts'
import { migrations as released } from '../../../migrations/all.ts'
import { type Change, type Migration, recordedName } from '../../../migrations/migration.ts'
import { migrate, type MigrationOptions, planMigrations } from '../../../migrations/runner.ts'
import { readSchemaState, requireMigrated } from '../../../services/shared/schema.ts'
import { inDatabase, serverUrls } from '../../support/stack/database.ts'
import { waitUntil } from '../../support/stack/process.ts'

const ADMIN = join(import.meta.dirname, '../../../api/admin.ts')
const urls = serverUrls()
const suffix = randomBytes(4).toString('hex')
const owner = `ganglion_owner_${suffix}`
const name = `ganglion_runs_${suffix}`
const app = inDatabase(urls.app, name)
const [lastReleased] = released.slice(-1) as [Migration]
const last = lastReleased.id
const lastName = recordedName(lastReleased)

/** Row-level security applies to this owner, unlike to a superuser. */
const admin = (() => {
  const url = new URL(inDatabase(urls.admin, name))
  url.username = owner
  url.password = suffix
  return url.href
})()

const clients: Client[] = []

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  clients.push(client)
  return client
}

let session: Client

beforeAll(async () => {
  const server = await connect(inDatabase(urls.admin, 'postgres'))
  await server.query(`create role ${owner} login createdb createrole password '${suffix}'`)
  await migrate(admin, app)
  session = await connect(admin)
})

afterAll(async () => {
  await Promise.all(clients.map(client => client.end()))
  const server = await connect(inDatabase(urls.admin, 'postgres'))
  await server.query(`drop database if exists ${name} with (force)`)
  await server.query(`drop role ${owner}`)
  await server.end()
})

/** Migrations after the released ones. */
const after = (...changes: Change[]): Migration[] =>
  changes.map((change, i) => ({ id: last + i + 1, name: 'Added', oldestVersion: '0.1.0', change }))

const addNote: Change = {
  kind: 'schema',
  up: 'alter table jobs add column note text',
  down: 'alter table jobs drop column note',
  loses: 'all notes',
}
const indexNote: Change = { kind: 'index', index: 'jobs_by_note', definition: 'on jobs (workspace_id, note)' }

const run = (added: Migration[], options: MigrationOptions = {}) =>
  migrate(admin, app, { migrations: [...released, ...added], ...options })

const revertAll = (added: Migration[]) => run(added, { down: true, to: last })

const listColumns = async () =>
  (
    await session.query<{ name: string }>(`select attname as name from pg_attribute where attrelid = 'jobs'::regclass`)
  ).rows.map(row => row.name)

test('migrations run up to an id, are reverted down to it, and a plan changes nothing', async () => {
  const added = after(addNote, indexNote)
  const options = { migrations: [...released, ...added] }
  const names = added.map(recordedName)
  const plan = await planMigrations(admin, options)
  expect(plan).toMatchObject({ database: name, applied: released.map(recordedName), steps: added })
  expect(await listColumns()).not.toContain('note')

  expect(await run(added, { to: last + 1 })).toEqual({ applied: names.slice(0, 1), reverted: [] })
  expect(await run(added)).toEqual({ applied: names.slice(1), reverted: [] })
  expect(await run(added)).toEqual({ applied: [], reverted: [] })
  await expect(run(added, { to: last })).rejects.toThrow('Use --down')

  expect((await planMigrations(admin, { ...options, down: true })).steps).toEqual([added[1]])
  expect(await run(added, { down: true })).toEqual({ applied: [], reverted: names.slice(1) })
  expect(await revertAll(added)).toEqual({ applied: [], reverted: names.slice(0, 1) })
  expect(await listColumns()).not.toContain('note')
  await expect(run(added, { to: 5 })).rejects.toThrow('There is no migration 5')
})

test('a migration without a way back is not reverted', async () => {
  const permanent = after({ kind: 'schema', up: 'select 1', down: null })
  await run(permanent)
  await expect(run(permanent, { down: true })).rejects.toThrow(/Added\d+ can't be reverted/)
  await session.query('delete from migrations where timestamp > $1', [last])
})

test('a newer database is refused by a migration, and usable by the application', async () => {
  const added = after(addNote)
  await run(added)
  const db = openDatabase({ DATABASE_URL: app, DATABASE_POOL: 1 })
  try {
    await expect(migrate(admin, app)).rejects.toThrow(
      new RegExp(String.raw`newer version \(Added\d+\).*--down --to ${last}`),
    )
    expect(await readSchemaState(db)).toEqual({ pending: [], newer: added.map(recordedName) })
    await requireMigrated(db)
    await revertAll(added)
    await session.query('update migrations set name = $1 where timestamp = $2', ['Other1', last])
    await expect(requireMigrated(db)).rejects.toThrow(`lacks ${lastName}. Run "ganglion-admin migrate"`)
  } finally {
    await session.query('update migrations set name = $1 where timestamp = $2', [lastName, last])
    await db.close()
  }
})

async function createWorkspace(rows: number): Promise<string> {
  const [id, brain] = [randomUUID(), randomUUID()]
  await session.query('begin')
  await session.query(`select set_config('app.workspace_id', $1, true)`, [id])
  await session.query(`insert into workspaces (id, slug, name, default_brain_id) values ($1, $3, 'w', $2)`, [
    id,
    brain,
    id,
  ])
  await session.query(`insert into brains (id, name) values ($1, 'main')`, [brain])
  await session.query(`insert into brains (id, name) select gen_random_uuid(), 'more' from generate_series(2, $1)`, [
    rows,
  ])
  await session.query('commit')
  return id
}

test('rows of all workspaces are changed in batches', async () => {
  await createWorkspace(5)
  await createWorkspace(3)
  const update = `update brains set name = name || '!' where id in (select id from brains where name not like '%!' limit 2)`
  const added = after({ kind: 'rows', update })
  await run(added)
  const superuser = await connect(inDatabase(urls.admin, name))
  const { rows } = await superuser.query(`select count(*)::int as rows from brains where name like '%!'`)
  expect(rows).toEqual([{ rows: 8 }])
  await revertAll(added)
})

test('a downgrade deletes the rows that the older schema does not allow', async () => {
  const workspace = await createWorkspace(1)
  const inWorkspace = async (sql: string) => {
    await session.query(`begin; select set_config('app.workspace_id', '${workspace}', true)`)
    const result = await session.query(sql)
    await session.query('commit')
    return result
  }
  const downTo = (migration: Migration) => migrate(admin, app, { down: true, to: migration.id })
  const [channel, task, notification] = [randomUUID(), randomUUID(), randomUUID()]
  await inWorkspace(`
    insert into channels (id, name, type, settings, credentials, created_by, updated_by)
      values ('${channel}', 'c', 'slack', '{}', '', 'user:ann', 'user:ann');
    insert into notifications (id, recipient, event_id, type, job_id, is_direct)
      values ('${notification}', 'user:ann', gen_random_uuid(), 'job.failed', 'j', true);
    insert into channel_messages (id, channel_id, recipient, conversation, intervention_id, reply, received, notification_id)
      values ('${task}', '${channel}', 'user:ann', 'c', 't', null, null, null),
             (gen_random_uuid(), '${channel}', 'user:ann', 'c', 't', 'You may not answer', null, null),
             (gen_random_uuid(), '${channel}', 'user:ann', 'c', null, null, '{}', null),
             (gen_random_uuid(), '${channel}', 'user:ann', 'c', null, null, null, '${notification}');
    insert into files (id, actor, file_name, media_type, size, sha256, job_id)
      select '${randomUUID()}', 'user:ann', 'f', 'text/plain', 1, '', job_id from unnest(array['origin', 'fork']) job_id`)
  await downTo(files)
  expect((await inWorkspace('select from files')).rowCount).toBe(1)
  await downTo(channels)
  expect((await inWorkspace('select id from channel_messages')).rows).toEqual([{ id: task }])
  await downTo(initialSchema)
  await migrate(admin, app)
})

test('an interrupted index is built again', async () => {
  const added = after(addNote, indexNote)
  await run(added, { to: last + 1 })
  await createWorkspace(1)
  // Fails after the build began, as a lost connection does.
  await expect(session.query('create unique index concurrently jobs_by_note on brains ((1))')).rejects.toMatchObject({
    code: '23505',
  })
  await run(added)
  const { rows } = await session.query(
    `select indisvalid, indrelid::regclass::text as table from pg_index where indexrelid = 'jobs_by_note'::regclass`,
  )
  expect(rows).toEqual([{ indisvalid: true, table: 'jobs' }])
  await revertAll(added)
})

test('an index is dropped, and a revert builds it again', async () => {
  const added = after(addNote, indexNote, { ...indexNote, isDropped: true })
  const findIndex = async () => (await session.query(`select to_regclass('jobs_by_note')::text as index`)).rows
  await run(added)
  expect(await findIndex()).toEqual([{ index: null }])
  await run(added, { down: true })
  expect(await findIndex()).toEqual([{ index: 'jobs_by_note' }])
  await revertAll(added)
})

test('a migration that waits for another one does not block its index', async () => {
  const added = after(addNote, indexNote)
  const runs = await Promise.all([run(added), run(added), run(added)])
  expect(runs.flatMap(({ applied }) => applied)).toEqual(added.map(recordedName))
  await revertAll(added)
})

test('a locked table is retried, and other queries run meanwhile', async () => {
  const added = after(addNote)
  const holder = await connect(admin)
  await holder.query('begin; select from jobs')
  const messages: string[] = []
  const running = run(added, { log: message => messages.push(message) })
  await waitUntil(() => messages.some(message => message.includes('hold a lock')))
  // The application's connections have this limit.
  const reader = await connect(app)
  await reader.query('set statement_timeout = 5000; select from jobs')
  expect(messages.join()).toMatch(/Longest open transactions: process \d+ /)
  await holder.query('commit')
  expect((await running).applied).toHaveLength(1)

  await holder.query('begin; select from jobs')
  await expect(run(added, { down: true, lockSeconds: 1 })).rejects.toThrow('End them, then run the command again')
  await holder.query('rollback')
  await revertAll(added)
})

test('a statement that holds its locks too long is rolled back', async () => {
  const added = after({ kind: 'schema', up: 'alter table jobs add column note text; select pg_sleep(60)', down: '' })
  await expect(run(added)).rejects.toThrow(/A statement of Added\d+ took too long and was rolled back/)
  expect(await listColumns()).not.toContain('note')
})

const execute = promisify(execFile)

async function adminCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_ADMIN_URL: admin, DATABASE_URL: app }
  return execute(process.execPath, [ADMIN, 'migrate', ...args], { env }).then(
    output => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('the command needs only the database settings, and its exit codes say whether a retry helps', async () => {
  expect(await adminCommand()).toMatchObject({ code: 0, stdout: 'The database is up to date\n' })
  expect(await adminCommand('--plan')).toMatchObject({
    code: 0,
    stdout: `The database ${name} is at ${lastName}. 0 migrations to apply.\n`,
  })
  const refused = await adminCommand('--down', '--to', '5', '--yes')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('There is no migration 5')])
  await session.query(`insert into migrations (timestamp, name) values (9000000000000, 'Newer9000000000000')`)
  const newer = await adminCommand('--plan')
  expect([newer.code, newer.stderr]).toEqual([2, expect.stringContaining('newer version')])
  await session.query('delete from migrations where timestamp = 9000000000000')
  expect(await adminCommand('--to', 'yesterday')).toMatchObject({ code: 1 })
})

test('a new database is planned without creating it', async () => {
  const fresh = inDatabase(admin, `${name}_fresh`)
  const plan = await planMigrations(fresh)
  expect(plan).toMatchObject({ applied: [], steps: released })
  expect(await planMigrations(fresh)).toEqual(plan)
})
