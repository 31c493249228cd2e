import { Client } from 'pg'
import type { Tx } from '../../../data/shared/database.ts'
import { advanceJobs } from '../../../data/runs/job-progress-store.ts'
import { findJob, listJobs } from '../../../data/runs/jobs-store.ts'
import { findEnded } from '../../../data/runs/job-endings-store.ts'
import { addUsage } from '../../../data/access/usage-store.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { countingRowsRead } from '../../support/stack/rows-read.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute } from '../../../data/shared/statements.ts'

const RUNS = 5_000
const RUN = 'run-2500'
const MAX_ROWS_READ = 20

let database: TestDatabase
let owner: Client

beforeAll(async () => {
  database = await createTestDatabase(5)
  owner = new Client({ connectionString: database.adminUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** Inserts runs into a new workspace. Returns its id. */
async function insertRuns(name: string, count: number): Promise<string> {
  const { workspace_id } = await createPrincipal(database.db)
  await database.db.inWorkspace(workspace_id, tx =>
    execute(
      tx,
      `insert into jobs (job_id, root_job_id, title, requester, people, status)
         select $1 || n, $1 || n, 'A run', 'user:ann', '{user:ann}', 'running' from generate_series(1, $2::int) n`,
      [name, count],
    ),
  )
  return workspace_id
}

type Work = (tx: Tx, workspace_id: string) => Promise<unknown>

/** Reads and writes of a run's own row that happen in each step. */
const WORKS: Record<string, Work> = {
  read: tx => findJob(tx, RUN),
  'read of its end': tx => findEnded(tx, [RUN]),
  progress: (tx, workspace_id) =>
    advanceJobs(
      tx,
      [
        {
          job: { job_id: RUN, root_job_id: RUN, workspace_id, people: [], rights: [] },
          seq: 1,
          nodes: [],
          interventions: [],
        },
      ],
      'wait',
    ),
  usage: tx => addUsage(tx, RUN, { key: 'a', attempt: 1, usage: { input_tokens: 1, output_tokens: 1, usd: 0 } }),
}

/** Returns how many rows of the runs table the work reads. */
const countRowsRead = (workspace_id: string, work: Work): Promise<number> =>
  database.db.inWorkspace(workspace_id, async tx => {
    const { rowsRead } = await countingRowsRead(tx, 'jobs', () => work(tx, workspace_id))
    return rowsRead
  })

test.each([5, 300, 20_000])(
  'a run among 5,000 in its workspace reads few rows when planner statistics include %i rows of another workspace',
  async seen => {
    await owner.query('truncate jobs cascade')
    await insertRuns('other-', seen)
    await owner.query('vacuum analyze jobs')
    const workspace_id = await insertRuns('run-', RUNS)
    const rowsRead: Record<string, number> = {}
    for (const [name, work] of Object.entries(WORKS)) rowsRead[name] = await countRowsRead(workspace_id, work)
    expect(Object.entries(rowsRead).filter(([, rows]) => rows === 0 || rows > MAX_ROWS_READ)).toEqual([])
  },
)

test("a list of one person's runs reads no runs that belong to others", async () => {
  await owner.query('truncate jobs cascade')
  const workspace_id = await insertRuns('run-', RUNS)
  await database.db.inWorkspace(workspace_id, tx =>
    execute(tx, `update jobs set requester = 'user:bob' where job_id in ('run-1', 'run-2500', 'run-4999')`),
  )
  await owner.query('vacuum analyze jobs')
  const page = { limit: 50, offset: 0, requester: 'user:bob' }
  expect(await database.db.inWorkspace(workspace_id, tx => listJobs(tx, page))).toMatchObject({ total: 3 })
  expect(await countRowsRead(workspace_id, tx => listJobs(tx, page))).toBeLessThanOrEqual(MAX_ROWS_READ)
})
