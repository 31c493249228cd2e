import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { insertJob, type NewJob } from '../../../data/runs/jobs-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { type BulkBatch, createBulkBatch } from '../../../services/runs/bulk/bulk-batch.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { bulkItemsTable } from '../../../data/runs/tables.ts'

/** The batches of a bulk job, with Temporal but no worker: runs receive commands but do not react to them. */

const config = readConfig({ ...readEnvironment(), TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}` })

let database: TestDatabase
let temporal: Temporal
let ann: Principal
let batch: BulkBatch

beforeAll(async () => {
  database = await createTestDatabase()
  temporal = openTemporal(config)
})
afterAll(() => Promise.all([database.drop(), temporal.close()]))

const retried: string[] = []
beforeEach(async () => {
  ann = await createPrincipal(database.db)
  const unused = () => Promise.reject(new Error('no other operation is tested here'))
  const migrations = { migrate: unused, move: unused, undo: unused }
  const retry = async (_: Principal, jobId: string) => {
    retried.push(jobId)
    throw new Unavailable('The run does not answer')
  }
  batch = createBulkBatch({ ...database, temporal, jobs: { migrations, retry }, log: pino({ level: 'silent' }) })
})

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(ann.workspace_id, work)

async function insertRow(kind: NewJob['kind'] = 'pathway'): Promise<string> {
  const job_id = `${kind}-${randomUUID()}`
  const row = { job_id, root_job_id: job_id, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null }
  await inside(tx =>
    insertJob(tx, { ...row, kind, title: 'Run', requester: 'user:ann', people: ['user:ann'], rights: [], input: null }),
  )
  return job_id
}

const setStatus = (jobId: string, status: JobStatus, code: string | null = null) =>
  inside(tx => execute(tx, 'update jobs set status = $2, failed_code = $3 where job_id = $1', [jobId, status, code]))

async function startRun(status: JobStatus): Promise<string> {
  const jobId = await insertRow()
  await temporal.client.workflow.start('pathway', { workflowId: jobId, taskQueue: temporal.taskQueue, args: [] })
  await setStatus(jobId, status)
  return jobId
}

/** Creates a bulk job whose runs are listed, and a function that processes them as its activity does. */
async function pin(operation: string) {
  const job_id = await insertRow('bulk')
  const job = { job_id, root_job_id: job_id, workspace_id: ann.workspace_id, people: ['user:ann'], rights: [] }
  const filter = { created_before: '2100-01-01T00:00:00.000Z', brain_ids: null }
  const run = { job, operation, filter, per_second: 1_000 }
  await batch.pin(run)
  return {
    apply: () => batch.apply(ann, run, { signal: new AbortController().signal }),
    /** Restores the state after a crash between an operation and the record of its outcome. */
    forgetOutcomes: () => inside(tx => execute(tx, 'update bulk_items set outcome = null where job_id = $1', [job_id])),
    items: () =>
      inside(tx =>
        select(
          tx,
          pick(bulkItemsTable, 'run_id', 'outcome', 'code', 'message', 'unanswered'),
          'select run_id, outcome, code, message, unanswered from bulk_items where job_id = $1 order by ordinal',
          [job_id],
        ),
      ),
  }
}

async function countSignals(jobId: string): Promise<number> {
  const { events } = await temporal.handle(jobId).fetchHistory()
  return (events ?? []).filter(event => event.workflowExecutionSignaledEventAttributes).length
}

const audit = (action: 'job.pause' | 'job.resume', target: string, details = {}) =>
  inside(tx => writeAudit(tx, ann, { action, target, details }))

describe('an operation that is repeated after a crash', () => {
  test.each([
    ['pause', 'waiting', 'job.resume'],
    ['resume', 'paused', 'job.pause'],
  ] as const)('does not %s again if someone has reverted it', async (operation, before, contrary) => {
    const runId = await startRun(before)
    const job = await pin(operation)
    await job.apply()
    expect([await countSignals(runId), await job.items()]).toMatchObject([1, [{ outcome: 'done' }]])
    await audit(contrary, runId)
    await job.forgetOutcomes()
    const { counts, is_last } = await job.apply()
    expect([counts, is_last]).toEqual([{ matched: 1, done: 0, skipped: 1, failed: 0 }, true])
    expect(await job.items()).toMatchObject([{ message: 'Someone else paused or resumed the run in the meantime' }])
    expect(await countSignals(runId)).toBe(1)
  })

  test('counts as done if the run reflects it, and is applied otherwise', async () => {
    const [paused, untouched] = [await startRun('waiting'), await startRun('waiting')]
    // The end of a wait also creates an entry, and does not revert a pause.
    const job = await pin('pause')
    await job.apply()
    await audit('job.resume', untouched, { nodes: ['wait'] })
    await setStatus(paused, 'paused')
    await job.forgetOutcomes()
    expect((await job.apply()).counts).toMatchObject({ done: 2 })
    expect([await countSignals(paused), await countSignals(untouched)]).toEqual([1, 2])
  })
})

test.each(['cancel', 'pause'])('a run that has not started receives its %s once it starts', async operation => {
  const runId = await insertRow()
  const job = await pin(operation)
  await expect(job.apply()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'The run has not started yet' })
  expect(await job.items()).toMatchObject([{ run_id: runId, outcome: null, unanswered: 1 }])
  await temporal.client.workflow.start('pathway', { workflowId: runId, taskQueue: temporal.taskQueue, args: [] })
  expect((await job.apply()).counts).toMatchObject({ done: 1, failed: 0 })
})

test('attempts at an unresponsive run count for that run alone, and the run is abandoned after 20', async () => {
  const ids = [await insertRow(), await insertRow()]
  for (const id of ids) await setStatus(id, 'failed', 'FAILED')
  const job = await pin('retry')
  for (let attempt = 1; attempt < 20; attempt++)
    await expect(job.apply()).rejects.toMatchObject({ message: 'The run does not answer' })
  expect(await job.items()).toMatchObject([
    { run_id: ids[0], outcome: null, unanswered: 19 },
    { run_id: ids[1], outcome: null, unanswered: 0 },
  ])
  await expect(job.apply()).rejects.toMatchObject({ message: 'The run does not answer' })
  expect(await job.items()).toMatchObject([
    { outcome: 'failed', code: 'UNAVAILABLE', message: 'The run does not answer' },
    { run_id: ids[1], outcome: null, unanswered: 1 },
  ])
  for (let attempt = 2; attempt <= 20; attempt++) await job.apply().catch(() => undefined)
  expect(await job.apply()).toEqual({ counts: { matched: 2, done: 0, skipped: 0, failed: 2 }, is_last: true })
  expect(ids.map(id => retried.filter(one => one === id).length)).toEqual([20, 20])
})
