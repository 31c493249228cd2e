import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { post, listRequests } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'

const ENDLESS = { tokens: Array.from({ length: 5_000 }, (_, i) => `${i} `), delay_ms: 20 }

const context = useFaultContext()
const ask = { id: 'ask', type: 'neuron', with: { message: 'Count.' } }
const cancel = (jobId: string) =>
  context.workspace.client.post<{ status: string; receipt: object[]; code: string }>(`/v1/jobs/${jobId}/cancel`)
const call = () => post(context.ledger, 'call', '?hang=true')
const ofRun = (jobId: string, path: string) => listRequests(context.ledger, jobId, path)

/** Returns a run that has booked something and is executing `slow`. */
async function running(slow: object & { id: string }, inTheMiddle: (jobId: string) => boolean): Promise<string> {
  const definition = pathway(
    [post(context.ledger, 'book', '', { compensate: 'unbook' }), slow, post(context.ledger, 'unbook')],
    `book > ${slow.id}`,
  )
  const jobId = await startRun(context.workspace.client, definition)
  await waitUntil(() => inTheMiddle(jobId))
  return jobId
}

/** Cancels a run in the middle of an endless call. Returns the receipt once the call is aborted. */
async function cancelAndExpectAbort(jobId: string, called: () => { aborted_at?: number } | undefined) {
  const reply = await cancel(jobId)
  await waitUntil(() => called()?.aborted_at)
  expect(reply).toMatchObject({ status: 200, body: { status: 'failed' } })
  return reply.body.receipt
}

async function expectUndoneOnce(jobId: string): Promise<void> {
  expect(ofRun(jobId, '/unbook')).toHaveLength(1)
  expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ failedReason: 'cancelled by user:ann' })
  expect(await cancel(jobId)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
}

describe('cancel', () => {
  test('stops a running model call', async () => {
    context.model.script(ENDLESS)
    const jobId = await running(ask, () => context.model.requests.length > 0)
    const receipt = await cancelAndExpectAbort(jobId, () => context.model.requests[0])
    expect(receipt).toEqual([
      { node_id: 'ask', key: 'ask', outcome: 'stopped' },
      { node_id: 'book', key: 'book', outcome: 'compensated' },
    ])
    await expectUndoneOnce(jobId)
  })

  test('stops a running http call, which may have had its effect', async () => {
    const jobId = await running(call(), id => ofRun(id, '/call').length > 0)
    const receipt = await cancelAndExpectAbort(jobId, () => ofRun(jobId, '/call')[0])
    expect(receipt).toEqual([
      { node_id: 'call', key: 'call', outcome: 'in_doubt' },
      { node_id: 'book', key: 'book', outcome: 'compensated' },
    ])
    await expectUndoneOnce(jobId)
  })

  test('stops a parallel model call and http call, and the receipt lists both', async () => {
    context.model.script(ENDLESS)
    const calls = context.model.requests.length
    const begin = { id: 'begin', type: 'transform', with: { value: 1 } }
    const definition = pathway([begin, call(), ask], 'begin > call', 'begin > ask')
    const jobId = await startRun(context.workspace.client, definition)
    await waitUntil(() => ofRun(jobId, '/call').length > 0 && context.model.requests.length > calls)
    const receipt = await cancelAndExpectAbort(jobId, () => ofRun(jobId, '/call')[0])
    await waitUntil(() => context.model.requests.at(-1)?.aborted_at !== undefined)
    expect(receipt).toHaveLength(2)
    expect(receipt).toEqual(
      expect.arrayContaining([
        { node_id: 'call', key: 'call', outcome: 'in_doubt' },
        { node_id: 'ask', key: 'ask', outcome: 'stopped' },
      ]),
    )
  })
})
