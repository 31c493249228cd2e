import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { listEffects, post, listRequests } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { joinTokens } from '../support/follow-through.ts'
import { lastFailures } from '../support/temporal-history.ts'

const context = useFaultContext()

const requested = (jobId: string, path: string) => listRequests(context.ledger, jobId, path).length > 0

test('an API that shuts down finishes its request, ends its streams and exits with 0', async () => {
  const { client } = context.workspace
  const waiting = await startRun(client, pathway([{ id: 'pause', type: 'wait', duration: 'PT1H' }]))
  const slowToCancel = await startRun(
    client,
    pathway(
      [
        post(context.ledger, 'book', '', { compensate: 'unbook' }),
        post(context.ledger, 'pay', '?hang=true'),
        post(context.ledger, 'unbook', '?delay_ms=1500'),
      ],
      'book > pay',
    ),
  )
  await waitUntil(() => requested(slowToCancel, '/pay'))
  const stream = await client.sse(`/v1/jobs/${waiting}/stream`)
  const messages: { comment?: string }[] = []
  const streamed = (async () => {
    for await (const message of stream) messages.push(message)
  })()
  await waitUntil(() => messages.length > 1)
  const cancelling = client.post(`/v1/jobs/${slowToCancel}/cancel`)
  await waitUntil(() => requested(slowToCancel, '/unbook'))

  const exit = context.stack.api.end('SIGTERM')
  await streamed
  expect(messages.at(-1)?.comment).toBe('closing')
  expect(await cancelling).toMatchObject({
    status: 200,
    body: { status: 'failed', receipt: [{ outcome: 'in_doubt' }, { outcome: 'compensated' }] },
  })
  expect(await exit).toBe(0)
  await expect(fetch(`${context.stack.baseUrl}/v1/health/live`)).rejects.toThrow()
  await context.stack.restartApi()
  expect((await client.post(`/v1/jobs/${waiting}/cancel`)).status).toBe(200)
})

test('a worker that shuts down returns its work, and another worker finishes it', async () => {
  const { client } = context.workspace
  context.model.script({ tokens: ['Once', ' upon'], after: 'hang' })
  const call = await startRun(client, pathway([post(context.ledger, 'call', '?delay_ms=10000')]))
  const ask = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const quick = await startRun(client, pathway([post(context.ledger, 'quick', '?delay_ms=1000')]))
  const isRequested = () => context.model.requests.length > 0
  await waitUntil(() => requested(call, '/call') && requested(quick, '/quick') && isRequested())

  const exit = context.stack.worker.end('SIGTERM')
  await context.stack.restartWorker()
  expect(await exit).toBe(0)
  expect(await jobWith(client, ask)).toMatchObject({ status: 'completed', result: { text: 'Hello there.' } })
  expect(joinTokens(await readEvents(client, ask), 'say')).toBe('Hello there.')
  for (const [jobId, key] of [
    [call, 'call'],
    [quick, 'quick'],
  ] as const) {
    expect((await jobWith(client, jobId)).status).toBe('completed')
    expect(listEffects(context.ledger, jobId)).toEqual([key])
  }
  expect(context.ledger.duplicates()).toEqual([])
  // The worker itself reports the failure; it is not detected by a timeout. Work that could finish in time has
  // finished.
  expect(await lastFailures(context.stack, call)).toEqual(['WorkerShutdown'])
  expect(await lastFailures(context.stack, ask)).toEqual(['WorkerShutdown'])
  expect(await lastFailures(context.stack, quick)).toEqual([])
})

test('a node with a single attempt reports that its worker was lost, whatever the reason', async () => {
  const { client } = context.workspace
  const once = { retry: { max_attempts: 1 } }
  const definition = pathway(
    [post(context.ledger, 'only', '?hang=true', once), { id: 'why', type: 'end', output: '${nodes.only.error.code}' }],
    'only.error > why',
  )
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const jobId = await startRun(client, definition)
    await waitUntil(() => requested(jobId, '/only'))
    await context.stack.worker.end(signal)
    await context.stack.restartWorker()
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', result: 'WORKER_LOST' })
    expect(listEffects(context.ledger, jobId)).toEqual(['only'])
  }
})
