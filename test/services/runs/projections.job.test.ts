import { randomUUID } from 'node:crypto'
import { findIntervention } from '../../../data/people/interventions-store.ts'
import { listNodes } from '../../../data/runs/job-nodes-store.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import { setCancelledBy } from '../../../data/runs/job-endings-store.ts'
import type { InterventionChange } from '../../../domain/people/intervention.ts'
import type { Projections } from '../../../services/runs/projections.ts'
import { approval, buildIntervention } from '../../support/people/interventions.ts'
import {
  at,
  createProjectionFixture,
  node,
  record,
  type ProjectionFixture,
} from '../../support/runs/projection-fixture.ts'

let fixture: ProjectionFixture
let projections: Projections

beforeAll(async () => {
  fixture = await createProjectionFixture()
  projections = fixture.projections
})
afterAll(() => fixture.close())

test('a job starts as pending, and its first update makes it running', async () => {
  const job = await fixture.startJob()
  expect(await fixture.jobOf(job)).toMatchObject({ status: 'pending', processed_at: null, input: { b: 1, a: 2 } })
  await projections.applyRecord(record(job, { progress: { done: 1, total: 3 } }))
  const { processed_at } = await fixture.jobOf(job)
  await projections.applyRecord(record(job, { status: 'waiting', current_step: 'Approve?' }))
  expect(await fixture.jobOf(job)).toMatchObject({
    status: 'waiting',
    current_step: 'Approve?',
    progress: { done: 1, total: 3 },
    processed_at,
  })
})

test('a job ends once, and later updates change nothing', async () => {
  const job = await fixture.startJob()
  const finish = { ...record(job), at: at(9), outcome: 'completed', result: { z: 1, a: '\u0000' } } as const
  await projections.applyFinish(finish)
  const ended = await fixture.jobOf(job)
  expect(ended).toMatchObject({ status: 'completed', finished_at: at(9), result: { z: 1, a: '\ufffd' } })
  expect(Object.keys(ended.result as object)).toEqual(['z', 'a'])
  await projections.applyFinish(finish)
  await projections.applyFinish({
    ...record(job),
    at: at(10),
    outcome: 'failed',
    error: { code: 'X', message: 'no' },
  })
  await projections.applyRecord(record(job, { status: 'running', current_step: 'late', nodes: [node('running', 1)] }))
  expect(await fixture.jobOf(job)).toEqual(ended)
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toEqual([])
})

test('a cancelled job counts as failed, contains the person who cancelled it and keeps the receipt', async () => {
  const job = await fixture.startJob()
  await fixture.inside(tx => setCancelledBy(tx, job.job_id, 'user:ann'))
  await fixture.inside(tx => setCancelledBy(tx, job.job_id, 'user:ben'))
  const receipt = [{ node_id: 'a', key: 'a', outcome: 'stopped' as const }]
  await projections.applyFinish({ ...record(job), at: at(9), outcome: 'cancelled', receipt })
  const reason = { failed_reason: 'cancelled by user:ann', failed_code: 'CANCELLED', receipt }
  expect(await fixture.jobOf(job)).toMatchObject({ status: 'failed', result: null, ...reason })
})

test('a child run gets its own row, once', async () => {
  const root = await fixture.startJob()
  const job = { ...fixture.refTo(), root_job_id: root.job_id }
  const pathway = { id: randomUUID(), version: 3, title: 'Child' }
  const child = { job, parent_key: 'sub', pathway, requester: 'user:ann', input: [1] }
  await projections.applyOpenChild(child)
  await projections.applyRecord(record(job, { status: 'running' }))
  await projections.applyOpenChild(child)
  expect(await fixture.jobOf(job)).toMatchObject({
    root_job_id: root.job_id,
    parent_key: 'sub',
    pathway_id: pathway.id,
    pathway_version: 3,
    status: 'running',
    input: [1],
  })
})

test('an update for a job without a row is dropped', async () => {
  const job = fixture.refTo()
  const opened = buildIntervention()
  const interventions: InterventionChange[] = [{ change: 'opened', intervention: opened }, approval(opened.id)]
  const usage = { input_tokens: 1, output_tokens: 1, usd: 1 }
  await projections.applyRecord(record(job, { status: 'running', nodes: [node('running', 1)], interventions }))
  await projections.applyNodeCompletion({ job, milestone: node('completed', 2), usage })
  await projections.applyFinish({ ...record(job), at: at(9), outcome: 'completed' })
  expect(await fixture.inside(tx => findJob(tx, job.job_id))).toBeUndefined()
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toEqual([])
  expect(await fixture.inside(tx => findIntervention(tx, opened.id))).toBeUndefined()
})

test('many concurrent writers to one job neither fail nor lose updates', async () => {
  const job = await fixture.startJob()
  const nodes = Array.from({ length: 20 }, (_, i) => node('completed', i, { key: `each[${i}]/a` }))
  const usage = { input_tokens: 1, output_tokens: 1, usd: 0.01 }
  await Promise.all(
    nodes.flatMap(milestone => [
      projections.applyNodeStart(record(job, { nodes: nodes.toReversed(), current_step: 'all' })),
      projections.applyNodeCompletion({ job, milestone, usage }),
    ]),
  )
  expect((await fixture.jobOf(job)).usage).toEqual({ input_tokens: 20, output_tokens: 20, usd: 0.2 })
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toHaveLength(20)
})
