import { callTool, connectMcp, rpc, TASKS } from '../../support/tools/mcp.ts'
import { startProcess, waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'
import { nextFree } from '../../../dev/machine/ports.ts'

/** Two API processes behind one MCP server. Either process handles any call. */

const context = useOwnStack()

const isUp = (baseUrl: string) =>
  fetch(`${baseUrl}/v1/health/live`).then(
    ({ ok }) => ok,
    () => false,
  )

async function startSecondApi() {
  const port = await nextFree()
  const baseUrl = `http://127.0.0.1:${port}`
  const env = { ...context.stack.env, PORT: String(port), BASE_URL: baseUrl }
  return { baseUrl, process: await startProcess('api/main.ts', env, () => isUp(baseUrl)) }
}

test('one of two processes is killed during a call: the run continues, and the other process returns the result', async () => {
  const { client, api_key: token } = context.workspace
  const wait = { id: 'wait', type: 'wait', duration: 'PT3S' }
  await client.post('/v1/pathways', { title: 'Slow', slug: 'slow', definition: pathway([wait]) })
  const second = await startSecondApi()
  const other = await connectMcp({ baseUrl: second.baseUrl, token })
  const here = await connectMcp({ baseUrl: context.stack.baseUrl, token })

  // Both processes list the same tools, byte for byte.
  const [one, two] = await Promise.all([here.listTools(), other.listTools()])
  expect(JSON.stringify(one.tools)).toBe(JSON.stringify(two.tools))

  // A process reports changes that were made through the other process.
  const { body: document } = await client.post<{ id: string }>('/v1/artifacts', { title: 'Watched', content: '1' })
  const uri = `ganglion://artifacts/${document.id}`
  const notices: string[] = []
  other.setNotificationHandler('notifications/resources/updated', ({ params }) => void notices.push(params.uri))
  await other.listen({ resourceSubscriptions: [uri] })
  await client.patch(`/v1/artifacts/${document.id}`, { content: { replace: '2' } })
  await waitUntil(async () => notices.includes(uri))

  const started = await rpc(`${second.baseUrl}/v1/mcp`, token, {
    method: 'tools/call',
    params: { name: 'run_pathway', arguments: { pathway: 'slow' } },
    capabilities: TASKS,
  })
  const { taskId } = started.result as { taskId: string }
  const key = { idempotency_key: 'once' }
  const lost = callTool(other, 'run_pathway', { pathway: 'slow', ...key }).then(
    () => 'answered',
    () => 'lost',
  )
  await waitUntil(async () => (await callTool<{ total: number }>(here, 'list_runs', { pathway: 'slow' })).total === 2)
  await second.process.end('SIGKILL')
  expect(await lost).toBe('lost')

  // The remaining process receives the call again under its key, and a poll for the task.
  const repeated = await callTool<{ status: string; job_id: string }>(here, 'run_pathway', { pathway: 'slow', ...key })
  expect(repeated.status).toBe('completed')
  expect((await callTool<{ total: number }>(here, 'list_runs', { pathway: 'slow' })).total).toBe(2)
  await jobWith(client, taskId)
  const polled = await rpc(`${context.stack.baseUrl}/v1/mcp`, token, {
    method: 'tasks/get',
    params: { taskId },
    capabilities: TASKS,
  })
  expect(polled.result).toMatchObject({ status: 'completed' })
  await here.close()
})
