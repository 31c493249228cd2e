import { createProjectionWriter } from '../../../activities/runs/projection-writer.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { RecordInput } from '../../../domain/runs/run-records.ts'
import type { NodeCompletion } from '../../../services/runs/projections.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { type Harness, startHarness } from '../shared/harness.ts'
import { execute } from '../../../data/shared/statements.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

const milestone = (key: string, status: NodeMilestone['status'] = 'running'): NodeMilestone => ({
  key,
  node_id: key,
  node_type: 'http',
  status,
  at: new Date().toISOString(),
  attempt: 1,
})
const record = (job: JobRef, ...nodes: NodeMilestone[]): RecordInput => ({ job, nodes, interventions: [] })

/** Wraps the real projections in a switch, with a call counter. */
function switched() {
  const state = { away: false, calls: 0 }
  const guard = <T>(write: () => Promise<T>): Promise<T> => {
    state.calls++
    return state.away ? Promise.reject(new Unavailable()) : write()
  }
  return {
    state,
    applyNodeStart: (input: RecordInput) => guard(() => harness.projections.applyNodeStart(input)),
    applyNodeStarts: (inputs: RecordInput[]) => guard(() => harness.projections.applyNodeStarts(inputs)),
    applyNodeCompletion: (input: NodeCompletion) => guard(() => harness.projections.applyNodeCompletion(input)),
  }
}

test('changes of one job in quick succession are written together', async () => {
  const projections = switched()
  const writer = createProjectionWriter({ projections, log: harness.log })
  const job = await harness.job()
  for (let i = 0; i < 20; i++) writer.recordStart(record(job, milestone(`n${i}`)))
  await writer.recordFinish({ job, milestone: milestone('n0', 'completed') })
  await writer.flush(2_000)
  expect(projections.state.calls).toBe(1)
  const nodes = await harness.nodes(job)
  expect(nodes).toHaveLength(20)
  expect(nodes.find(({ key }) => key === 'n0')).toMatchObject({ status: 'completed' })
})

test('changes of several jobs in quick succession are written together, even while another transaction locks a job', async () => {
  const projections = switched()
  const writer = createProjectionWriter({ projections, log: harness.log })
  const jobs = await Promise.all(Array.from({ length: 5 }, () => harness.job()))
  const [held] = jobs
  if (!held) throw new Error('no job')
  const release = Promise.withResolvers<void>()
  const holder = harness.db.inWorkspace(held.workspace_id, async tx => {
    await execute(tx, 'select 1 from jobs where job_id = $1 for update', [held.job_id])
    for (const job of jobs) writer.recordStart(record(job, milestone('a')))
    await release.promise
  })
  await waitUntil(async () => (await Promise.all(jobs.slice(1).map(harness.nodes))).every(nodes => nodes.length === 1))
  expect(await harness.nodes(held)).toEqual([])
  release.resolve()
  await holder
  await writer.flush(2_000)
  expect(await harness.nodes(held)).toMatchObject([{ key: 'a', status: 'running' }])
  expect(await harness.record(held)).toMatchObject({ status: 'running' })
  expect(projections.state.calls).toBe(2)
})

test('a job that cannot be written does not block others', async () => {
  const writer = createProjectionWriter({ projections: harness.projections, log: harness.log })
  const [one, other] = [await harness.job(), await harness.job()]
  writer.recordStart(record(one, { ...milestone('a'), at: 'never' }))
  writer.recordStart(record(other, milestone('b')))
  await writer.flush(2_000)
  expect(await harness.nodes(one)).toEqual([])
  expect(await harness.nodes(other)).toMatchObject([{ key: 'b' }])
})

test('changes are never mixed between jobs', async () => {
  const writer = createProjectionWriter({ projections: harness.projections, log: harness.log })
  const [one, other] = [await harness.job(), await harness.job()]
  writer.recordStart(record(one, milestone('a')))
  writer.recordStart(record(other, milestone('b')))
  await writer.flush(2_000)
  expect(await harness.nodes(one)).toMatchObject([{ key: 'a' }])
  expect(await harness.nodes(other)).toMatchObject([{ key: 'b' }])
})

test('writes during a Postgres outage resolve soon, and are completed after the outage', async () => {
  const projections = switched()
  const writer = createProjectionWriter({ projections, log: harness.log }, { retryMs: 50, maxWaitMs: 100 })
  const job = await harness.job()
  projections.state.away = true
  writer.recordStart(record(job, milestone('a')))
  const usage = { input_tokens: 1, output_tokens: 2, usd: 0 }
  await writer.recordFinish({ job, milestone: milestone('a', 'completed'), usage, transcript: 'said' })
  writer.recordStart(record(job, milestone('b')))
  await writer.flush(150)
  expect(await harness.nodes(job)).toEqual([])
  projections.state.away = false
  await writer.flush(2_000)
  expect(await harness.nodes(job)).toMatchObject([
    { key: 'a', status: 'completed', transcript: 'said' },
    { key: 'b', status: 'running' },
  ])
  expect(await harness.record(job)).toMatchObject({ usage: { input_tokens: 1, output_tokens: 2 } })
})

test('updates that cannot be written are dropped and do not delay other updates', async () => {
  const broken = () => Promise.reject(new TypeError('a defect'))
  const writer = createProjectionWriter({
    projections: { applyNodeStart: broken, applyNodeStarts: broken, applyNodeCompletion: broken },
    log: harness.log,
  })
  const job = await harness.job()
  writer.recordStart(record(job, milestone('a')))
  await writer.recordFinish({ job, milestone: milestone('a', 'completed'), transcript: 'x' })
  await expect(writer.flush(60_000)).resolves.toBeUndefined()
})
