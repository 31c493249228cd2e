import { Client, Connection } from '@temporalio/client'
import type { JobDetail } from '../../contract/runs/job.ts'
import { waitUntil } from '../support/stack/process.ts'
import { jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'
import { findTaskFailures } from '../support/runs/workflow-tasks.ts'

/** Maximum concurrent activities per run. */
const MAX_IN_FLIGHT = 1_000

const context = useStack()
let connection: Connection
let temporal: Client

beforeAll(async () => {
  connection = await Connection.connect({ address: context.stack.env.TEMPORAL_ADDRESS })
  temporal = new Client({ connection, namespace: context.stack.env.TEMPORAL_NAMESPACE })
})
afterAll(() => connection?.close())

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const value = (id: string, result: unknown) => ({ id, type: 'transform', with: { value: result } })
const map = (id: string, items: string, nodes: object[], ...lines: string[]) => ({
  id,
  type: 'map',
  items,
  concurrency: 100,
  body: (({ nodes: inner, edges }) => ({ nodes: inner, edges }))(pathway(nodes, ...lines)),
})

test('the largest allowed pathway does not hold up twenty small runs', async () => {
  const chain = numbers(9).map(i => value(`v${i}`, i === 0 ? '${item}' : `\${nodes.v${i - 1}.output + 1}`))
  const ways = numbers(8).map(i => `v${i} > v${i + 1}`)
  const large = await startRun(
    context.workspace.client,
    pathway([map('each', '${input}', chain, ...ways)]),
    numbers(10_000),
  )
  await jobWith(context.workspace.client, large, 'running')
  const small = pathway(
    [value('v', 1), { id: 'call', type: 'http', with: { url: `${context.ledger.url}/small` } }],
    'v > call',
  )
  const smallIds = await Promise.all(numbers(20).map(() => startRun(context.workspace.client, small)))
  const ended = await Promise.all(smallIds.map(id => jobWith(context.workspace.client, id)))
  expect(ended.map(({ status }) => status)).toEqual(numbers(20).map(() => 'completed'))
  const { status, result, finished_at } = await jobWith(context.workspace.client, large)
  expect(status).toBe('completed')
  expect((result as number[]).slice(-2)).toEqual([10_006, 10_007])
  for (const { finished_at: earlier } of ended)
    expect(Date.parse(earlier ?? '')).toBeLessThan(Date.parse(finished_at ?? ''))
  expect(await findTaskFailures(temporal, large)).toEqual([])
})

test('one event resumes ten thousand waits in one run', async () => {
  const inner = map('inner', '${input}', [{ id: 'wait', type: 'wait', event: 'go' }])
  const definition = pathway(
    [map('outer', '${input}', [inner]), value('z', '${nodes.outer.output.size()}')],
    'outer > z',
  )
  const jobId = await startRun(context.workspace.client, definition, numbers(100))
  await jobWith(context.workspace.client, jobId, 'waiting')
  await context.workspace.client.post(`/v1/jobs/${jobId}/resume`, { event: 'go' })
  expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed', result: 100 })
  expect(await findTaskFailures(temporal, jobId)).toEqual([])
})

test('a run with more calls than the server accepts at once queues some of them, and can be cancelled', async () => {
  const call = { id: 'call', type: 'http', timeout: 'PT10M', with: { url: `${context.ledger.url}/x?hang=true` } }
  const definition = pathway([map('outer', '${input.some}', [map('inner', '${input.many}', [call])])])
  const jobId = await startRun(context.workspace.client, definition, { some: numbers(25), many: numbers(100) })
  await waitUntil(async () => (await countNodes(jobId)) >= MAX_IN_FLIGHT)
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
  const { receipt } = await jobWith(context.workspace.client, jobId)
  expect(receipt?.length).toBeGreaterThan(MAX_IN_FLIGHT)
  expect(new Set(receipt?.map(({ outcome }) => outcome))).toEqual(new Set(['stopped']))
  expect(await findTaskFailures(temporal, jobId)).toEqual([])
})

const countNodes = async (jobId: string) =>
  (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body.nodes.length
