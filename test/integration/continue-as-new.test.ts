import { Client, Connection } from '@temporalio/client'
import { answer, asked, edges, jobWith, pathway, startRun } from '../support/runs.ts'
import { waitUntil } from '../support/process.ts'
import { type Stack, startStack, type TestWorkspace } from '../support/stack.ts'

let stack: Stack
let home: TestWorkspace
let connection: Connection

beforeAll(async () => {
  stack = await startStack()
  home = await stack.workspace({ actor: 'user:ann' })
  connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
})
afterAll(async () => {
  await connection?.close()
  await stack?.stop()
})

test('a run with a long history continues as new, its open question and waits with it', async () => {
  const body = { nodes: [{ id: 'nap', type: 'wait', duration: 'PT0.001S' }], edges: edges() }
  const definition = pathway(
    [
      { id: 'ask', type: 'human', kind: 'approval', due: 'P7D' },
      { id: 'sign', type: 'wait', event: 'signed' },
      { id: 'busy', type: 'map', items: '${input}', concurrency: 100, body },
      { id: 'all', type: 'join', mode: 'all' },
      { id: 'late', type: 'end' },
      { id: 'z', type: 'end', output: ['${nodes.ask.output.action}', '${nodes.sign.output.event.data}'] },
    ],
    'ask.approve > all',
    'ask.reject > late',
    'ask.timeout > late',
    'sign > all',
    'busy > all',
    'all > z',
  )
  const jobId = await startRun(
    home.client,
    definition,
    Array.from({ length: 2_600 }, (_, i) => i),
  )
  const handle = new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE }).workflow.getHandle(jobId)
  const first = (await handle.describe()).runId
  await waitUntil(
    async () => (await handle.describe()).runId !== first,
    90_000,
    () => 'it never continued as new',
  )
  await waitUntil(async () => (await jobWith(home.client, jobId, 'running', 'waiting')).status === 'waiting', 90_000)
  const [question] = await asked(home.client, jobId)
  await home.client.post(`/v1/jobs/${jobId}/resume`, { event: 'signed', data: 'here' })
  const reply = await answer(home.client, home.id, jobId, question?.interventionId ?? '', { action: 'approve' })
  expect(reply.status).toBe(200)
  expect((await jobWith(home.client, jobId)).result).toEqual(['approve', 'here'])
}, 240_000)
