import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const ASKS = pathway(
  [
    { id: 'q', type: 'human', kind: 'approval', title: 'child asks' },
    { id: 'y', type: 'end', output: 1 },
    { id: 'n', type: 'end', output: 0 },
  ],
  'q.approve > y',
  'q.reject > n',
)

beforeAll(async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { title: 'Min child', slug: 'min-child', definition: ASKS })
  await client.post('/v1/reflexes', { title: 'Built in', slug: 'builtin', source: 'builtin' })
  await client.post('/v1/neurons', {
    title: 'Asker',
    slug: 'asker',
    neuron_type: 'agent',
    instructions: 'First use ask_human "Which city?".',
    tools: [{ reflex: 'builtin', names: ['ask_human'] }],
  })
})

const END = { id: 'z', type: 'end' }
const CHILDREN = [
  { type: 'pathway', ref: 'min-child', with: {} },
  { type: 'neuron', ref: 'asker', with: { message: 'Where to?' } },
] as const

describe.each(CHILDREN)('a run whose $type node has a time limit and an open child', child => {
  const limited = (timeout: string) => ({ id: 'c', ...child, timeout })

  test('can be cancelled together with its child run', async () => {
    const jobId = await startRun(context.workspace.client, pathway([limited('P1D')]))
    const [open] = (await jobWith(context.workspace.client, jobId, 'waiting')).waitingFor ?? []
    const cancelled = await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'failed' } })
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({
      failedReason: 'cancelled by user:ann',
      receipt: [{ key: 'c', outcome: 'stopped' }],
    })
    expect(await jobWith(context.workspace.client, open?.job_id ?? '')).toMatchObject({ status: 'failed' })
  })

  test('fails when another node of the run fails', async () => {
    const fails = { id: 'f', type: 'http', with: { url: `${context.ledger.url}/x?status=422` } }
    const nap = { id: 'nap', type: 'wait', duration: 'PT1S' }
    const jobId = await startRun(
      context.workspace.client,
      pathway([limited('P1D'), nap, fails, END], 'nap > f', 'c > z'),
    )
    const job = await jobWith(context.workspace.client, jobId)
    expect(job).toMatchObject({ status: 'failed', current_step: 'f', receipt: [{ key: 'c', outcome: 'stopped' }] })
    expect(job.failedReason).toContain('422')
  })

  test('continues along the timeout port after the limit', async () => {
    const late = { id: 'late', type: 'end', output: '${nodes.c.error.code}' }
    const jobId = await startRun(context.workspace.client, pathway([limited('PT1S'), late], 'c.timeout > late'))
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed', result: 'TIMEOUT' })
  })
})

test('the error of a map contains the item and its failed node', async () => {
  const body = {
    nodes: [{ id: 'price', type: 'http', with: { url: `${context.ledger.url}/p?status=\${item}` } }],
    edges: [],
  }
  const jobId = await startRun(
    context.workspace.client,
    pathway([{ id: 'each', type: 'map', items: [200, 422], body }]),
  )
  const { failedReason, current_step } = await jobWith(context.workspace.client, jobId)
  expect(failedReason).toMatch(/^each\[1\]\/price: /)
  expect(current_step).toBe('each[1]/price')
})
