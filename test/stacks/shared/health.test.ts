import { nextFree } from '../../../dev/machine/ports.ts'
import { jobWith, pathway, readEvents, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { startStack } from '../../support/stack/stack.ts'
import { openContext } from '../../support/stack/use-stack.ts'
import { listRequests, post } from '../../faults/support/effects.ts'

let health: string
const context = openContext(async () => {
  const port = await nextFree()
  health = `http://127.0.0.1:${port}`
  return startStack({
    env: { WORKER_HEALTH_PORT: String(port) },
    apiEnv: { SHUTDOWN_DELAY_SECONDS: '10' },
  })
})

async function check(url: string): Promise<[status: number, body: string]> {
  const response = await fetch(url, { headers: { Connection: 'close' } })
  return [response.status, await response.text()]
}

test('the worker is ready while it polls Temporal, and is alive but not ready while it stops', async () => {
  const { client } = context.workspace
  await waitUntil(async () => (await check(`${health}/ready`))[0] === 200)
  expect(await check(`${health}/live`)).toEqual([200, 'ok'])
  expect((await check(`${health}/metrics`))[0]).toBe(404)
  const call = await startRun(client, pathway([post(context.ledger, 'call', '?delay_ms=4000')]))
  await waitUntil(() => listRequests(context.ledger, call, '/call').length > 0)

  const exit = context.stack.worker.end('SIGTERM')
  await waitUntil(async () => (await check(`${health}/ready`))[0] === 503)
  expect(await check(`${health}/ready`)).toEqual([503, 'The worker is stopping'])
  expect(await check(`${health}/live`)).toEqual([200, 'ok'])
  expect(await exit).toBe(0)
  await expect(check(`${health}/live`)).rejects.toThrow()
  await context.stack.restartWorker()
  expect((await jobWith(client, call)).status).toBe('completed')
})

test('the API is not ready after SIGTERM, and accepts requests until the delay is over', async () => {
  const { baseUrl, api } = context.stack
  const { client } = context.workspace
  expect(await check(`${baseUrl}/v1/health/ready`)).toEqual([200, '{"status":"ok","missing":[]}'])
  const waiting = await startRun(client, pathway([{ id: 'pause', type: 'wait', duration: 'PT1H' }]))
  const stream = await client.sse(`/v1/jobs/${waiting}/stream`)
  const messages: { comment?: string }[] = []
  const streamed = (async () => {
    for await (const message of stream) messages.push(message)
  })()
  await waitUntil(() => messages.length > 1)

  const exit = api.end('SIGTERM')
  await waitUntil(async () => (await check(`${baseUrl}/v1/health/ready`))[0] === 503)
  expect(await check(`${baseUrl}/v1/health/ready`)).toEqual([503, '{"status":"stopping","missing":[]}'])
  expect((await client.post(`/v1/jobs/${waiting}/cancel`)).status).toBe(200)
  await streamed
  expect(await exit).toBe(0)
  await context.stack.restartApi()
  expect(await readEvents(client, waiting)).not.toEqual([])
})
