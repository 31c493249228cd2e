import { listNodes } from '../../../data/runs/job-nodes-store.ts'
import type { Projections } from '../../../services/runs/projections.ts'
import { orders } from '../../support/runs/orders.ts'
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

const story = [
  node('running', 1, { title: 'A' }),
  node('running', 1, { attempt: 1 }),
  node('running', 2, { attempt: 2 }),
  node('completed', 3, { attempt: 2, port: 'default', output: { z: 1, a: null } }),
]
const told = {
  ...node('completed', 3, { attempt: 2, port: 'default', output: { z: 1, a: null } }),
  title: 'A',
  started_at: at(1),
  finished_at: at(3),
}

test('the last milestone counts, in any order and with any repetition', async () => {
  for (const order of orders(story)) {
    const job = await fixture.startJob()
    for (const milestone of [...order, ...order.toReversed()])
      await projections.applyRecord(record(job, { nodes: [milestone] }))
    expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toEqual([told])
    const once = await fixture.startJob()
    await projections.applyRecord(record(once, { nodes: order }))
    expect(await fixture.inside(tx => listNodes(tx, once.job_id))).toEqual([told])
  }
})

test('within one millisecond, the end sorts after the start, and an undo sorts after the end', async () => {
  const job = await fixture.startJob()
  const nodes = [node('compensated', 1), node('completed', 1, { output: 7 }), node('running', 1)]
  for (const milestone of nodes) await projections.applyRecord(record(job, { nodes: [milestone] }))
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toMatchObject([{ status: 'compensated', output: 7 }])
})

test("an end counts even if its writer's clock is behind the clock that recorded the start", async () => {
  const ended = node('failed', 1, { error: { code: 'X', message: 'no' } })
  for (const nodes of orders([node('running', 2, { attempt: 1 }), ended])) {
    const [job, once] = [await fixture.startJob(), await fixture.startJob()]
    for (const milestone of nodes) await projections.applyRecord(record(job, { nodes: [milestone] }))
    await projections.applyRecord(record(once, { nodes }))
    for (const { job_id } of [job, once])
      expect(await fixture.inside(tx => listNodes(tx, job_id))).toMatchObject([
        { status: 'failed', error: ended.error },
      ])
  }
})

test('an output written after the end of the job is kept, but an open node is not added', async () => {
  const job = await fixture.startJob()
  const nodes = [node('completed', 2)]
  await projections.applyFinish({ ...record(job, { nodes }), at: at(3), outcome: 'completed', result: null })
  const late = [
    node('running', 1),
    node('completed', 2, { output: 'x'.repeat(3_000) }),
    node('running', 1, { key: 'b' }),
  ]
  await projections.applyNodeStart(record(job, { nodes: late }))
  const told = [{ key: 'a', status: 'completed', output: 'x'.repeat(3_000) }]
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toMatchObject(told)
})

test('many nodes are written in one statement, and are read in start order', async () => {
  const job = await fixture.startJob()
  const nodes = Array.from({ length: 500 }, (_, i) => node('running', i, { key: `each[${i}]/a` })).toReversed()
  await projections.applyRecord(record(job, { nodes }))
  const keys = (await fixture.inside(tx => listNodes(tx, job.job_id))).map(row => row.key)
  expect(keys).toEqual(Array.from({ length: 500 }, (_, i) => `each[${i}]/a`))
})

test("an activity's usage counts once per attempt, and its text is stored", async () => {
  const job = await fixture.startJob()
  const usage = { input_tokens: 10, output_tokens: 5, usd: 0.1 }
  await projections.applyNodeStart(record(job, { nodes: [node('running', 1)], current_step: 'A' }))
  expect(await fixture.jobOf(job)).toMatchObject({
    status: 'running',
    current_step: 'A',
    processed_at: expect.any(String),
  })
  const done = { job, milestone: node('completed', 2, { attempt: 1 }), transcript: 'Hello \u0000', usage }
  await projections.applyNodeCompletion(done)
  await projections.applyNodeCompletion(done)
  await projections.applyNodeCompletion({
    ...done,
    milestone: node('completed', 3, { attempt: 2 }),
    transcript: undefined,
  })
  expect((await fixture.jobOf(job)).usage).toEqual({ input_tokens: 20, output_tokens: 10, usd: 0.2 })
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toMatchObject([
    { attempt: 2, transcript: 'Hello \ufffd' },
  ])
})

test('external text that Postgres cannot store does not stop a run', async () => {
  const job = await fixture.startJob()
  const output = { 'k\u0000': 'a\u0000b\\u0000 \\\u0000', half: '\ud800', whole: '\ud83d\ude00', path: 'C:\\u0000' }
  const error = { code: 'X', message: 'bad \u0000 reply' }
  await projections.applyRecord(
    record(job, { nodes: [node('failed', 1, { output, error, title: '\u0000' })], current_step: '\u0000' }),
  )
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toMatchObject([
    {
      title: '\ufffd',
      output: {
        'k\ufffd': 'a\ufffdb\\u0000 \\\ufffd',
        half: '\ufffd',
        whole: '\ud83d\ude00',
        path: 'C:\\u0000',
      },
      error: { message: 'bad \ufffd reply' },
    },
  ])
})

test('an update after the end of a job changes none of its nodes', async () => {
  const job = await fixture.startJob()
  await projections.applyFinish({ ...record(job, { nodes: [node('skipped', 2)] }), outcome: 'completed', at: at(3) })
  await projections.applyRecord(record(job, { nodes: [node('waiting', 4), node('waiting', 4, { key: 'b' })] }))
  await projections.applyNodeStart(record(job, { nodes: [node('running', 5)] }))
  expect(await fixture.inside(tx => listNodes(tx, job.job_id))).toMatchObject([{ key: 'a', status: 'skipped' }])
})
