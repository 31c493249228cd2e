import { waitUntil } from '../support/process.ts'
import { eventsOf, jobWith, pathway, startRun } from '../support/runs.ts'
import { effectsOf, post, requestsOf } from './effects.ts'
import { useFaultPlace } from './fault-place.ts'
import { textOf } from './follow-through.ts'
import { lastFailures } from './temporal-history.ts'

const place = useFaultPlace()

const requested = (jobId: string, path: string) => requestsOf(place.ledger, jobId, path).length > 0

test('an API told to stop finishes its request and ends its streams, then leaves with 0', async () => {
  const { client } = place.home
  const waiting = await startRun(client, pathway([{ id: 'pause', type: 'wait', duration: 'PT1H' }]))
  const slowToCancel = await startRun(
    client,
    pathway(
      [
        post(place.ledger, 'book', '', { compensate: 'unbook' }),
        post(place.ledger, 'pay', '?hang=true'),
        post(place.ledger, 'unbook', '?delay_ms=1500'),
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

  const exit = place.stack.api.end('SIGTERM')
  await streamed
  expect(messages.at(-1)?.comment).toBe('closing')
  expect(await cancelling).toMatchObject({
    status: 200,
    body: { status: 'failed', receipt: [{ outcome: 'in_doubt' }, { outcome: 'compensated' }] },
  })
  expect(await exit).toBe(0)
  await expect(fetch(`${place.stack.baseUrl}/v1/health/live`)).rejects.toThrow()
  await place.stack.restartApi()
  expect((await client.post(`/v1/jobs/${waiting}/cancel`)).status).toBe(200)
})

test('a worker told to stop hands its work back, and another one finishes it', async () => {
  const { client } = place.home
  place.model.script({ tokens: ['Once', ' upon'], after: 'hang' })
  const call = await startRun(client, pathway([post(place.ledger, 'call', '?delay_ms=4000')]))
  const ask = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const quick = await startRun(client, pathway([post(place.ledger, 'quick', '?delay_ms=1000')]))
  const asked = () => place.model.requests.length > 0
  await waitUntil(() => requested(call, '/call') && requested(quick, '/quick') && asked())

  const exit = place.stack.worker.end('SIGTERM')
  await place.stack.restartWorker()
  expect(await exit).toBe(0)
  expect(await jobWith(client, ask)).toMatchObject({ status: 'completed', result: { text: 'Hello there.' } })
  expect(textOf(await eventsOf(client, ask), 'say')).toBe('Hello there.')
  for (const [jobId, key] of [
    [call, 'call'],
    [quick, 'quick'],
  ] as const) {
    expect((await jobWith(client, jobId)).status).toBe('completed')
    expect(effectsOf(place.ledger, jobId)).toEqual([key])
  }
  expect(place.ledger.duplicates()).toEqual([])
  // Told by the worker itself, not found out by its silence; what could be finished in time was.
  expect(await lastFailures(place.stack, call)).toEqual(['WorkerShutdown'])
  expect(await lastFailures(place.stack, ask)).toEqual(['WorkerShutdown'])
  expect(await lastFailures(place.stack, quick)).toEqual([])
})

test('a node that may be tried only once says that its worker was lost, however that came', async () => {
  const { client } = place.home
  const once = { retry: { max_attempts: 1 } }
  const definition = pathway(
    [post(place.ledger, 'only', '?hang=true', once), { id: 'why', type: 'end', output: '${nodes.only.error.code}' }],
    'only.error > why',
  )
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const jobId = await startRun(client, definition)
    await waitUntil(() => requested(jobId, '/only'))
    await place.stack.worker.end(signal)
    await place.stack.restartWorker()
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', result: 'WORKER_LOST' })
    expect(effectsOf(place.ledger, jobId)).toEqual(['only'])
  }
})
