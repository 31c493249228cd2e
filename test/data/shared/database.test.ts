import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase, type Tx } from '../../../data/shared/database.ts'
import { listJobs } from '../../../data/runs/jobs-store.ts'
import { Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { createTcpGate, type TcpGate } from '../../support/stack/tcp-gate.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute, select, selectOne, insert, inSavepoint } from '../../../data/shared/statements.ts'
import { bigint, integer, pick, text, uuid, type Columns } from '../../../data/shared/table.ts'
import { brainsTable, membersTable } from '../../../data/access/tables.ts'

let test_db: TestDatabase
let gate: TcpGate

beforeAll(async () => {
  test_db = await createTestDatabase()
  gate = await createTcpGate(test_db.url)
})
afterAll(async () => {
  await gate.close()
  await test_db.drop()
})

const opened = () => openDatabase({ DATABASE_URL: gate.through(test_db.url), DATABASE_POOL: 2 })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (error: unknown) => error,
  )

test('a start while Postgres is down fails with Unavailable, and succeeds later', async () => {
  await gate.shut()
  const db = opened()
  expect(await failure(db.ping())).toBeInstanceOf(Unavailable)
  expect(await failure(db.ping())).toBeInstanceOf(Unavailable)
  await gate.open()
  await db.ping()
  await db.close()
})

test('a connection cut in the middle of a transaction fails with Unavailable, and the next connection works', async () => {
  const db = opened()
  await db.ping()
  const work = db.system(async tx => {
    await execute(tx, 'select 1')
    await gate.shut()
    await execute(tx, 'select 1')
  })
  expect(await failure(work)).toBeInstanceOf(Unavailable)
  expect(await failure(db.ping())).toBeInstanceOf(Unavailable)
  await gate.open()
  await db.ping()
  await db.close()
})

test('when several statements are sent together, the error of the failed one is reported, however late its caller awaits it', async () => {
  const db = opened()
  const late = async (failing: Promise<unknown>) => {
    for (let i = 0; i < 20; i++) await Promise.allSettled([failing])
    return failing
  }
  const work = db.system(tx => Promise.all([late(execute(tx, 'select 1/0')), execute(tx, 'select 1')]))
  expect(await failure(work)).toMatchObject({ message: 'division by zero' })
  await db.close()
})

test('workspaces get connections in turn, and no workspace takes more than half of them', async () => {
  const db = opened()
  const entered: string[] = []
  const leave: (() => void)[] = []
  const enter = (name: string, workspaceId: string) =>
    db.inWorkspace(workspaceId, async () => {
      entered.push(name)
      await new Promise<void>(resolve => leave.push(resolve))
    })
  const [busy, other] = [randomUUID(), randomUUID()]
  const all = ['busy 1', 'busy 2', 'busy 3'].map(name => enter(name, busy))
  all.push(enter('other', other))
  await waitUntil(() => entered.length === 2)
  expect(entered).toEqual(['busy 1', 'other'])
  while (entered.length < 4 || leave.length > 0) {
    leave.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.all(all)
  expect(entered).toEqual(['busy 1', 'other', 'busy 2', 'busy 3'])
  await db.close()
})

test('a connection closed by an administrator, in use or idle, is replaced', async () => {
  const admin = new Client({ connectionString: test_db.adminUrl })
  await admin.connect()
  const db = opened()
  const end = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
                  where application_name = 'ganglion' and datname = current_database()`)
  const work = db.system(async tx => {
    await Promise.all([execute(tx, 'select pg_sleep(2)'), end()])
  })
  expect(await failure(work)).toBeInstanceOf(Unavailable)
  await db.ping()
  await end()
  await db.ping().catch(() => db.ping())
  await db.close()
  await admin.end()
})

test('when Postgres stops responding, waiting requests fail with Unavailable', async () => {
  const db = opened()
  await db.ping()
  gate.stall()
  const failures = await Promise.all([db.ping(), db.ping(), db.ping()].map(failure))
  for (const error of failures) expect(error).toBeInstanceOf(Unavailable)
  gate.resume()
  await db.ping()
  await db.close()
})

test('when a pool stays full, requests fail with Unavailable, and its connections stay intact', async () => {
  const db = openDatabase({ DATABASE_URL: test_db.url, DATABASE_POOL: 1 })
  const sleeping = db.system(tx => execute(tx, 'select pg_sleep(4)'))
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(await failure(db.ping())).toBeInstanceOf(Unavailable)
  await sleeping
  await db.ping()
  await db.close()
})

test('a statement that takes too long fails with Unavailable', async () => {
  expect(await failure(test_db.db.system(tx => execute(tx, 'select pg_sleep(20)')))).toBeInstanceOf(Unavailable)
})

test('a failing statement rolls back the whole transaction, and its error is not hidden', async () => {
  const principal = await createPrincipal(test_db.db)
  const broken = test_db.db.inWorkspace(principal.workspace_id, async tx => {
    await execute(tx, `insert into members (actor) values ('user:ben')`)
    await execute(tx, 'select nonsense')
  })
  expect(await failure(broken)).toMatchObject({ code: '42703' })
  const members = await test_db.db.inWorkspace(principal.workspace_id, tx =>
    select(tx, pick(membersTable, 'actor'), 'select actor from members'),
  )
  expect(members).toEqual([])
})

test('an error does not contain the values that were sent', async () => {
  const error = await failure(test_db.db.system(tx => execute(tx, 'select $1::uuid', ['my secret'])))
  expect(error).toMatchObject({ code: '22P02' })
  expect(error).not.toHaveProperty('parameters')
})

test('statements are prepared, and still work after a migration adds a column', async () => {
  const db = openDatabase({ DATABASE_URL: test_db.url, DATABASE_POOL: 1 })
  const principal = await createPrincipal(db)
  const list = () => db.inWorkspace(principal.workspace_id, tx => listJobs(tx, { limit: 1, offset: 0 }))
  await list()
  const prepared = () =>
    db.system(tx => selectOne(tx, { n: bigint() }, 'select count(*) as n from pg_prepared_statements where $1', [true]))
  const before = await prepared()
  expect(before?.n).toBeGreaterThan(2)
  const admin = new Client({ connectionString: test_db.adminUrl })
  await admin.connect()
  await admin.query('alter table jobs add column later text')
  await admin.end()
  expect(await list()).toEqual({ rows: [], total: 0 })
  expect(await prepared()).toEqual(before)
  await db.close()
})

test('a result that differs from its declaration is rejected, with the column name and type', async () => {
  const read = (columns: Columns, statement: string) => failure(test_db.db.system(tx => select(tx, columns, statement)))
  expect(await read({ id: uuid() }, 'select id, name from brains')).toMatchObject({
    message: 'The result differs from its declaration: name is not declared, in: select id, name from brains',
  })
  expect(await read({ id: uuid(), name: text() }, 'select id from brains')).toMatchObject({
    message: 'The result differs from its declaration: name is not text but missing, in: select id from brains',
  })
  expect(await read({ groups: text() }, 'select groups from members')).toMatchObject({
    message: 'The result differs from its declaration: groups is not text but 1009, in: select groups from members',
  })
  expect(await read({ total: integer() }, 'select count(*) as total from jobs')).toMatchObject({
    message: expect.stringContaining('total is not integer but') as string,
  })
})

test('a statement that was checked against one declaration is also checked against another', async () => {
  const statement = 'select uses from credentials'
  const ask = (columns: Columns) => test_db.db.system(tx => select(tx, columns, statement))
  expect(await ask({ uses: integer() })).toEqual([])
  expect(await failure(ask({ uses: text() }))).toMatchObject({
    message: expect.stringContaining('uses is not text') as string,
  })
})

test('failed work in a savepoint is rolled back, and the transaction continues', async () => {
  const { workspace_id } = await createPrincipal(test_db.db)
  const actors = await test_db.db.inWorkspace(workspace_id, async tx => {
    await insert(tx, membersTable, { actor: 'user:ann' })
    const failing = inSavepoint(tx, async () => {
      await insert(tx, membersTable, { actor: 'user:ben' })
      await execute(tx, 'select nonsense')
    })
    expect(await failure(failing)).toMatchObject({ code: '42703' })
    return select(tx, pick(membersTable, 'actor'), 'select actor from members')
  })
  expect(actors).toEqual([{ actor: 'user:ann' }])
})

test('text that Postgres cannot store is reported as the caller’s mistake', async () => {
  const ask = (text: string) => test_db.db.system(tx => execute(tx, 'select $1::text', [text]))
  expect(await failure(ask('a\u0000b'))).toBeInstanceOf(ValidationError)
})

test('the workspace setting does not outlive its transaction on a reused connection', async () => {
  const db = openDatabase({ DATABASE_URL: test_db.url, DATABASE_POOL: 1 })
  const principal = await createPrincipal(db)
  const listBrainIds = (tx: Tx) => select(tx, pick(brainsTable, 'id'), 'select id from brains')
  const brains = () => db.system(listBrainIds)
  expect(await db.inWorkspace(principal.workspace_id, listBrainIds)).toHaveLength(1)
  expect(await brains()).toEqual([])
  await failure(db.inWorkspace(principal.workspace_id, tx => execute(tx, 'select nonsense')))
  expect(await brains()).toEqual([])
  await db.close()
})

describe('work whose statements are sent together with the commit', () => {
  const addMember = (tx: Tx, actor: string) => execute(tx, 'insert into members (actor) values ($1)', [actor])
  const listMembers = (workspaceId: string) =>
    test_db.db.inWorkspaceAtOnce(workspaceId, async tx => {
      const rows = await select(tx, pick(membersTable, 'actor'), 'select actor from members order by actor')
      return rows.map(({ actor }) => actor)
    })

  test('is committed in its workspace', async () => {
    const { workspace_id } = await createPrincipal(test_db.db)
    const other = await createPrincipal(test_db.db)
    await test_db.db.inWorkspaceAtOnce(workspace_id, tx =>
      Promise.all([addMember(tx, 'user:ann'), addMember(tx, 'user:ben')]),
    )
    expect(await listMembers(workspace_id)).toEqual(['user:ann', 'user:ben'])
    expect(await listMembers(other.workspace_id)).toEqual([])
  })

  test.each<[string, (tx: Tx) => Promise<unknown>, object]>([
    ['a statement', tx => execute(tx, 'select nonsense'), { code: '42703' }],
    ['the code before it sends', async () => Promise.reject(new Error('no text')), { message: 'no text' }],
  ])('is rolled back if %s fails', async (_what, fail, expected) => {
    const { workspace_id } = await createPrincipal(test_db.db)
    const work = test_db.db.inWorkspaceAtOnce(workspace_id, tx => Promise.all([addMember(tx, 'user:ann'), fail(tx)]))
    expect(await failure(work)).toMatchObject(expected)
    expect(await listMembers(workspace_id)).toEqual([])
  })

  test('fails if it sends a statement after the commit, and leaves the connection usable', async () => {
    const db = openDatabase({ DATABASE_URL: test_db.url, DATABASE_POOL: 1 })
    const { workspace_id } = await createPrincipal(test_db.db)
    const work = db.inWorkspaceAtOnce(workspace_id, async tx => {
      await execute(tx, 'select 1')
      await addMember(tx, 'user:ann')
    })
    expect(await failure(work)).toMatchObject({ message: 'A statement was sent after the commit' })
    expect(await listMembers(workspace_id)).toEqual([])
    await db.inWorkspace(workspace_id, tx => addMember(tx, 'user:ben'))
    expect(await listMembers(workspace_id)).toEqual(['user:ben'])
    await db.close()
  })

  test('takes one round trip to Postgres', async () => {
    const db = opened()
    await db.ping()
    const before = gate.received()
    await db.inWorkspaceAtOnce(randomUUID(), tx => execute(tx, 'select 1'))
    expect(gate.received() - before).toBe(1)
    await db.close()
  })
})
