import type { ModelReply } from '../../support/agents/model-server.ts'
import { book, useAgentFaults } from '../support/agent-context.ts'
import { joinTokens } from '../support/follow-through.ts'

const context = useAgentFaults()

/** Queues replies to requests about a topic, and repeats the last one. Returns the time of each request. */
function queue(topic: string, ...replies: ModelReply[]): number[] {
  const at: number[] = []
  context.models.on(({ turns }) => {
    if (!turns.some(({ role, text }) => role === 'user' && text.includes(topic))) return undefined
    at.push(Date.now())
    return replies[Math.min(at.length, replies.length) - 1]
  })
  return at
}

async function play(neuron: string, topic: string, ...replies: ModelReply[]) {
  const at = queue(topic, ...replies)
  const { jobId, reading } = await context.follow(neuron, topic)
  await reading.done
  return { at, events: reading.events, ...(await context.end(jobId)) }
}

const WHOLE = { tokens: ['All', ' is', ' well.'] }
const completed = { status: 'completed', result: { output: 'All is well.' } }

/** Tested with chat completions, and with Anthropic's Messages API. */
describe.each(['clerk', 'other-clerk'])('the provider of %s', neuron => {
  test('that asks for a delay is not called earlier', async () => {
    const { at, job } = await play(
      neuron,
      `hurry, ${neuron}`,
      { status: 429, headers: { 'retry-after': '3' } },
      { tokens: ['All is well.'] },
    )
    expect(job).toMatchObject(completed)
    expect(at).toHaveLength(2)
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(3_000)
  })

  test('that is overloaded or unavailable is retried', async () => {
    const { at, job, events } = await play(neuron, `busy, ${neuron}`, { status: 529 }, { status: 503 }, WHOLE)
    expect(job).toMatchObject(completed)
    expect(at).toHaveLength(3)
    expect(joinTokens(events, 'step-1')).toBe('All is well.')
    expect(job.usage).toMatchObject({ output_tokens: 3 })
  })

  test('that rejects the key ends the run immediately, and the key is not visible anywhere', async () => {
    const error = 'no such key: sk-scripted-secret, sk-ant-scripted-secret'
    const { at, job, events } = await play(neuron, `key, ${neuron}`, { status: 401, error })
    expect(job.status).toBe('failed')
    expect(events.at(-1)?.data).toMatchObject({ type: 'error', code: 'MODEL_AUTH' })
    expect(at).toHaveLength(1)
    expect(JSON.stringify([job, events]) + context.stack.worker.output()).not.toMatch(/scripted-secret/)
  })

  test('that refuses ends the run immediately, and the call is billed', async () => {
    const refused = { refusal: 'I will not.', usage: { input_tokens: 7, output_tokens: 4 } }
    const { at, job, events, messages } = await play(neuron, `harm, ${neuron}`, {
      ...refused,
      finish_reason: 'content_filter',
    })
    expect(job).toMatchObject({ status: 'failed', usage: { input_tokens: 7, output_tokens: 4 } })
    expect(events.at(-1)?.data).toMatchObject({ type: 'error', code: 'MODEL_REFUSED_INPUT' })
    expect(at).toHaveLength(1)
    expect(messages.map(({ role }) => role)).toEqual(['user'])
  })

  test('that is interrupted is retried, and its text is retracted', async () => {
    const { at, job, events } = await play(
      neuron,
      `cut, ${neuron}`,
      { tokens: ['All', ' is'], after: 'cut' },
      { tokens: ['All', ' of', ' it'], after: 'error' },
      WHOLE,
    )
    expect(job).toMatchObject(completed)
    expect(at).toHaveLength(3)
    expect(joinTokens(events, 'step-1')).toBe('All is well.')
    const resets = events.flatMap(({ data }) => (data.type === 'attempt_reset' ? [[data.key, data.attempt]] : []))
    expect(resets).toEqual([
      ['step-1', 2],
      ['step-1', 3],
    ])
  })

  test('that is interrupted after it requested a call: only calls from a complete answer are made', async () => {
    const note = `whole, ${neuron}`
    const { job } = await play(
      neuron,
      `break, ${neuron}`,
      { calls: [book(`half, ${neuron}`)], after: 'cut' },
      { calls: [book(note)] },
      WHOLE,
    )
    expect(job).toMatchObject(completed)
    expect(context.bookings(`half, ${neuron}`)).toEqual([])
    expect(context.bookings(note)).toHaveLength(1)
  })
})
