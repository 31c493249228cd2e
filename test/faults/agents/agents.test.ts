import { answer, asked } from '../../support/runs/runs.ts'
import { book, held, seen, useAgentFaults } from '../support/agent-context.ts'
import { type SeenEvent, joinTokens } from '../support/follow-through.ts'

const context = useAgentFaults()
const WORDS = Array.from({ length: 60 }, (_, i) => `w${i} `)

/** Returns the position of a node's first event of a type in the stream. */
const whereIs = (events: SeenEvent[], type: string, key: string): number =>
  events.findIndex(({ data }) => data.type === type && 'key' in data && data.key === key)

describe('a killed worker', () => {
  test('in the middle of model output, with either protocol', async () => {
    const runs = await Promise.all(
      ['clerk', 'other-clerk'].map(async neuron => {
        const topic = `tell ${neuron} a story`
        context.plays(topic, { tokens: WORDS, delay_ms: 80 })
        const { jobId, reading } = await context.follow(neuron, topic)
        return { topic, jobId, reading }
      }),
    )
    await seen(() => runs.every(({ reading }) => joinTokens(reading.events, 'step-1').length > 20))
    await context.stack.killWorker()
    for (const { topic, jobId, reading } of runs) {
      await reading.done
      const { job, messages } = await context.end(jobId)
      expect(job).toMatchObject({ status: 'completed', result: { output: WORDS.join('') } })
      expect(joinTokens(reading.events, 'step-1')).toBe(WORDS.join(''))
      const reset = whereIs(reading.events, 'attempt_reset', 'step-1')
      expect(reset).toBeGreaterThan(whereIs(reading.events, 'token', 'step-1'))
      expect(context.questions(topic)).toHaveLength(2)
      expect(job.usage).toMatchObject({ output_tokens: WORDS.length })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    }
  })

  test('between two tool calls', async () => {
    const second = held({ tokens: ['And', ' now'], calls: [book('the second')] })
    context.plays('book both', { calls: [book('the first')] }, second.reply, { tokens: ['Both', ' booked.'] })
    const { jobId, reading } = await context.follow('clerk', 'book both')
    await seen(() => context.questions('book both').length === 2)
    await context.stack.killWorker()
    second.release()
    await reading.done
    const { job, messages } = await context.end(jobId)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'Both booked.' } })
    expect(context.bookings('the first')).toHaveLength(1)
    expect(context.bookings('the second')).toHaveLength(1)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
    expect(['step-1', 'step-2', 'step-3'].map(key => joinTokens(reading.events, key))).toEqual([
      '',
      'And now',
      'Both booked.',
    ])
    expect(job.usage).toMatchObject({ output_tokens: 1 + 3 + 2 })
    expect(job.nodes.filter(({ status }) => status !== 'completed')).toEqual([])
  })

  test('during a tool call: the effect happens once, and the model gets one result', async () => {
    context.plays('book slowly', { calls: [book('a slow one', { delay_ms: 3_000 })] }, { tokens: ['Booked.'] })
    const { jobId, reading } = await context.follow('clerk', 'book slowly')
    await seen(() => context.bookings('a slow one').length > 0)
    await context.stack.killWorker()
    await reading.done
    const { job, messages } = await context.end(jobId)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'Booked.' } })
    const bookings = context.bookings('a slow one')
    expect(bookings.length).toBeGreaterThan(1)
    expect(new Set(bookings.map(({ key }) => key))).toEqual(new Set([`${jobId}:step-1/book[0]`]))
    const [effect, ...more] = context.ledger.effects.filter(({ key }) => key?.startsWith(`${jobId}:`))
    expect(more).toEqual([])
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([{ output: { id: effect?.id } }])
    expect(context.questions('book slowly')).toHaveLength(2)
    expect(job.usage).toMatchObject({ output_tokens: 2 })
  })

  test('while a person is being asked', async () => {
    context.plays(
      'which day',
      { tokens: ['I ask.'], calls: [{ name: 'ask_human', args: { question: 'Which day?' } }] },
      { tokens: ['Friday then.'] },
    )
    const { jobId, reading } = await context.follow('clerk', 'which day')
    const [question] = await asked(context.workspace.client, jobId)
    await context.stack.killWorker()
    expect(await asked(context.workspace.client, jobId)).toEqual([question])
    const reply = await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
      action: 'answer_questions',
      answers: { answer: 'Friday' },
    })
    expect(reply.status).toBe(200)
    await reading.done
    const { job, messages } = await context.end(jobId)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'Friday then.' } })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(context.questions('which day')).toHaveLength(2)
    expect(job.usage).toMatchObject({ output_tokens: 2 + 1 })
    const opened = reading.events.filter(({ data }) => data.type === 'intervention' && data.change === 'opened')
    expect(opened).toHaveLength(1)
  })
})
