import { randomUUID } from 'node:crypto'
import { readBacklog } from '../../../data/shared/backlog-store.ts'
import { insertJob } from '../../../data/runs/jobs-store.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { bigint } from '../../../data/shared/table.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(5)
})
afterAll(() => database.drop())

const read = () => database.db.system(readBacklog)

/** Inserts a job with this age into its own workspace. Returns a function that changes its status. */
async function insert(status: string, ageSeconds: number, { trace_id = null as string | null, turn = 1 } = {}) {
  const { workspace_id } = await createPrincipal(database.db)
  const job_id = `b-${randomUUID()}`
  const row = { job_id, root_job_id: job_id, parent_key: null, brain_id: null, title: 'x', people: [] }
  await database.db.inWorkspace(workspace_id, async tx => {
    await insertJob(tx, {
      ...row,
      pathway_id: null,
      pathway_version: null,
      requester: 'user:ann',
      rights: [],
      input: null,
    })
    await execute(
      tx,
      `update jobs set status = $2, created_at = now() - make_interval(secs => $3), trace_id = $4, turn = $5
        where job_id = $1`,
      [job_id, status, ageSeconds, trace_id, turn],
    )
  })
  return (next: string) =>
    database.db.inWorkspace(workspace_id, tx =>
      execute(tx, 'update jobs set status = $2 where job_id = $1', [job_id, next]),
    )
}

test('nothing is waiting in an empty database', async () => {
  const none = { total: 0, oldestSeconds: 0 }
  expect(await read()).toEqual({
    runs: { pending: none, running: none, waiting: none, paused: none },
    interventions: none,
    events: none,
    index_entries: none,
    index_failures: none,
    webhook_starts: none,
  })
})

test('the runs in all workspaces are counted by status, with the age of the oldest one', async () => {
  await insert('waiting', 100)
  await insert('waiting', 5_000)
  await insert('running', 10)
  await insert('completed', 90_000)
  const { runs, events } = await read()
  expect(runs.waiting).toEqual({ total: 2, oldestSeconds: expect.closeTo(5_000, -2) })
  expect(runs.running).toEqual({ total: 1, oldestSeconds: expect.closeTo(10, -2) })
  expect(runs.pending.total).toBe(0)
  // Each of the four runs has started and three have changed their status. Two of these changes are events.
  expect(events.total).toBeGreaterThanOrEqual(4)
})

test('the age of pending runs omits those that wait for an earlier run in their thread', async () => {
  const trace_id = randomUUID()
  const change = await insert('waiting', 9_000, { trace_id, turn: 2 })
  await insert('pending', 4_000, { trace_id, turn: 3 })
  await insert('pending', 300, { trace_id: randomUUID() })
  expect((await read()).runs.pending).toEqual({ total: 2, oldestSeconds: expect.closeTo(300, -2) })
  await change('completed')
  expect((await read()).runs.pending).toEqual({ total: 2, oldestSeconds: expect.closeTo(4_000, -2) })
})

test('a transaction without a workspace still sees no rows', async () => {
  const seen = await database.db.system(async tx => {
    await readBacklog(tx)
    return select(tx, { count: bigint() }, 'select count(*) as count from jobs')
  })
  expect(seen).toEqual([{ count: 0 }])
})
