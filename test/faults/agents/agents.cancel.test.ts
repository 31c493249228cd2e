import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith } from '../../support/runs/runs.ts'
import { book, held, seen, useAgentFaults } from '../support/agent-context.ts'
import { joinTokens } from '../support/follow-through.ts'

const ENDLESS = { tokens: Array.from({ length: 5_000 }, (_, i) => `${i} `), delay_ms: 20 }

const context = useAgentFaults()
const control = (jobId: string, verb: 'cancel' | 'pause' | 'resume') =>
  context.workspace.client.post<{ status: string; receipt: object[] }>(`/v1/jobs/${jobId}/${verb}`)

/** Cancels a run in the middle of an endless call. Returns the receipt once the call is aborted. */
async function cancelAndExpectAbort(jobId: string, called: () => { aborted_at?: number } | undefined) {
  const reply = await control(jobId, 'cancel')
  await waitUntil(() => called()?.aborted_at)
  expect(reply).toMatchObject({ status: 200, body: { status: 'failed' } })
  const { job } = await context.end(jobId)
  expect(job).toMatchObject({ failedReason: 'cancelled by user:ann', receipt: reply.body.receipt })
  return reply.body.receipt
}

describe('cancel', () => {
  test.each(['clerk', 'other-clerk'])('in the middle of the model output of %s', async neuron => {
    const topic = `count with ${neuron}`
    context.plays(topic, ENDLESS)
    const { jobId, reading } = await context.follow(neuron, topic)
    await seen(() => joinTokens(reading.events, 'step-1') !== '')
    const receipt = await cancelAndExpectAbort(jobId, () => context.questions(topic)[0])
    expect(receipt).toEqual([{ key: 'step-1', node_id: neuron, outcome: 'stopped' }])
    await reading.done
    expect(reading.events.at(-1)?.data).toMatchObject({ type: 'error', code: 'CANCELLED' })
    expect(context.questions(topic)).toHaveLength(1)
  })

  test('in the middle of calls: a call with an effect is reported as possibly done', async () => {
    context.plays('hang about', {
      calls: [book('for ever', { hang: true }), { name: 'look', args: { hang: true }, id: 'call-2' }],
    })
    const jobId = await context.start('clerk', 'hang about')
    const looks = () => context.ledger.requests.filter(({ path }) => path === '/look')
    await seen(() => context.bookings('for ever').length > 0 && looks().length > 0)
    const receipt = await cancelAndExpectAbort(jobId, () => context.bookings('for ever')[0])
    expect(receipt).toHaveLength(2)
    expect(receipt).toEqual(
      expect.arrayContaining([
        { key: 'step-1/book[0]', node_id: 'book', outcome: 'in_doubt' },
        { key: 'step-1/look[1]', node_id: 'look', outcome: 'stopped' },
      ]),
    )
    await seen(() => looks()[0]?.aborted_at !== undefined)
    expect(context.questions('hang about')).toHaveLength(1)
  })

  test('while a person is being asked: the question is closed', async () => {
    context.plays('ask me', { calls: [{ name: 'ask_human', args: { question: 'Well?' } }] })
    const jobId = await context.start('clerk', 'ask me')
    const [question] = await asked(context.workspace.client, jobId)
    const reply = await control(jobId, 'cancel')
    expect(reply.body).toMatchObject({
      status: 'failed',
      receipt: [{ key: 'step-1/ask_human[0]', node_id: 'ask_human', outcome: 'stopped' }],
    })
    const late = await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
      action: 'answer_questions',
      answers: { answer: 'yes' },
    })
    expect(late.status).toBe(400)
    expect(context.questions('ask me')).toHaveLength(1)
  })
})

describe('an operator', () => {
  test('pauses a run between two steps, and resumes it', async () => {
    const first = held({ calls: [book('after the pause')] })
    context.plays('pause this', first.reply, { tokens: ['Done.'] })
    const jobId = await context.start('clerk', 'pause this')
    await seen(() => context.questions('pause this').length > 0)
    expect((await control(jobId, 'pause')).status).toBe(200)
    first.release()
    await waitUntil(async () => {
      const { nodes } = await jobWith(context.workspace.client, jobId, 'paused')
      return nodes.some(({ key, status }) => key === 'step-1' && status === 'completed')
    })
    expect(context.bookings('after the pause')).toEqual([])
    expect((await control(jobId, 'resume')).status).toBe(200)
    const { job } = await context.end(jobId)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'Done.' } })
    expect(context.bookings('after the pause')).toHaveLength(1)
  })

  test('cancels a paused run', async () => {
    const first = held({ calls: [book('never')] })
    context.plays('pause and cancel', first.reply)
    const jobId = await context.start('clerk', 'pause and cancel')
    await seen(() => context.questions('pause and cancel').length > 0)
    await control(jobId, 'pause')
    expect((await control(jobId, 'cancel')).body.status).toBe('failed')
    first.release()
    await context.end(jobId)
    expect(context.bookings('never')).toEqual([])
  })
})
