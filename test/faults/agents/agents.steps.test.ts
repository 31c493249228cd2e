import { setTimeout as sleep } from 'node:timers/promises'
import { type TestServer, startHttpServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked } from '../../support/runs/runs.ts'
import { book, useAgentFaults } from '../support/agent-context.ts'

const context = useAgentFaults()
const WELL = { tokens: ['All is well.'] }
const completed = { status: 'completed', result: { output: 'All is well.', finish_reason: 'stop' } }

async function play(neuron: string, topic: string, ...replies: Parameters<typeof context.plays>[1][]) {
  context.plays(topic, ...replies)
  return context.end(await context.start(neuron, topic))
}

/** Returns the results of the model's calls from its last request about a topic. */
const told = (topic: string) =>
  (context.questions(topic).at(-1)?.turns ?? []).flatMap(({ role, call_id, text }) =>
    role === 'tool' ? [[call_id, text] as const] : [],
  )

/** Tested with chat completions, and with Anthropic's Messages API. */
describe.each(['clerk', 'other-clerk'])('an invalid call by %s', neuron => {
  test.each([
    ['is not JSON', { name: 'book', raw: '{"body": {"note"' }, /JSON/],
    ['calls an unavailable tool', { name: 'delete_all', args: { really: true } }, /no tool .*delete_all/],
    ['does not match the tool', { name: 'book', args: { body: { note: 5 } } }, /\/body\/note/],
  ])('that %s is reported to the model, which continues', async (why, call, reason) => {
    const topic = `${neuron} errs: ${why}`
    const { job, messages } = await play(neuron, topic, { calls: [{ id: 'call-x', ...call }] }, WELL)
    expect(job).toMatchObject(completed)
    expect(told(topic)).toEqual([['call-x', expect.stringMatching(reason)]])
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([{ call_id: 'call-x', is_error: true }])
    expect(context.ledger.effects).toEqual([])
  })
})

describe('a tool', () => {
  test('that rejects a call is reported to the model, and is called once', async () => {
    const { job, messages } = await play('clerk', 'in vain', { calls: [book('in vain', { status: 422 })] }, WELL)
    expect(job).toMatchObject(completed)
    expect(told('in vain')).toEqual([['call-1', expect.stringContaining('422')]])
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([{ is_error: true }])
    expect(context.bookings('in vain')).toHaveLength(1)
    expect(job.nodes.map(({ key, status }) => [key, status])).toContainEqual(['step-1/book[0]', 'failed'])
  })

  test('that is briefly unavailable is retried under the same idempotency key', async () => {
    const { job } = await play('clerk', 'try again', { calls: [book('again', { fail: 2 })] }, WELL)
    expect(job).toMatchObject(completed)
    expect(told('try again')).toEqual([['call-1', expect.stringContaining('effect-')]])
    const keys = context.bookings('again').map(({ key }) => key)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })
})

describe('several calls in one answer', () => {
  let meeting: TestServer
  const answers: (() => void)[] = []

  beforeAll(async () => {
    // No request gets a response before all three have arrived. The last request is answered first.
    meeting = await startHttpServer((request, response) => {
      answers.push(() => response.end(`you are ${request.url}`))
      if (answers.length === 3) void answers.toReversed().reduce(later, Promise.resolve())
    })
    const parameters = [{ name: 'who', in: 'path', required: true, schema: { type: 'string' } }]
    const get = { operationId: 'meet', parameters, responses: { 200: { description: 'fine' } } }
    const info = { title: 'Meeting', version: '1' }
    const openapi = { openapi: '3.0.3', info, servers: [{ url: meeting.url }], paths: { '/{who}': { get } } }
    await context.workspace.client.post('/v1/reflexes', {
      title: 'Meeting',
      slug: 'meeting',
      source: 'openapi',
      openapi,
    })
    for (const [slug, model] of [
      ['host', 'small'],
      ['other-host', 'anthropic:scripted'],
    ] as const)
      await context.neuron({ slug, model, neuron_type: 'agent', tools: [{ reflex: 'meeting' }] })
  })
  beforeEach(() => void answers.splice(0))
  afterAll(() => meeting?.close())

  const later = (before: Promise<void>, next: () => void) => before.then(() => sleep(50)).then(next)

  test.each(['host', 'other-host'])(
    'from %s are made concurrently, and each result is returned under its id',
    async neuron => {
      const calls = ['ann', 'bob', 'eve'].map(who => ({ name: 'meet', args: { who }, id: `id-of-${who}` }))
      const { job } = await play(neuron, `meet with ${neuron}`, { calls }, WELL)
      expect(job).toMatchObject(completed)
      expect(told(`meet with ${neuron}`)).toEqual(
        ['ann', 'bob', 'eve'].map(who => [`id-of-${who}`, expect.stringContaining(`you are /${who}`)]),
      )
    },
  )
})

describe('a run that has used up', () => {
  test.each(['small', 'anthropic:scripted'])('its steps returns a final answer without tools (%s)', async model => {
    const slug = `short-${model.slice(0, 5)}`
    const topic = `never ends with ${slug}`
    await context.neuron({ slug, model, neuron_type: 'agent', max_steps: 2, tools: [{ reflex: 'desk' }] })
    const call = (id: string) => ({ calls: [{ name: 'look', args: {}, id }] })
    const { job } = await play(slug, topic, call('one'), call('two'), { ...call('three'), tokens: ['Enough', '.'] })
    expect(job).toMatchObject({
      status: 'completed',
      result: { output: 'Enough.', finish_reason: 'max_steps' },
    })
    const questions = context.questions(topic)
    expect(questions).toHaveLength(3)
    expect(questions.at(-1)?.turns[0]?.text).toContain('no steps left')
    expect(questions.at(-1)?.body.tool_choice).toEqual(model === 'small' ? 'none' : { type: 'none' })
    expect(told(topic).map(([id]) => id)).toEqual(['one', 'two'])
  })

  describe('its budget', () => {
    const breach = async (topic: string) => {
      // The model returns five tokens and a call, at a dollar each.
      context.plays(topic, { tokens: ['a', 'b', 'c', 'd', 'e'], calls: [{ name: 'look', args: {} }] }, WELL)
      const jobId = await context.start('spender', topic)
      const [question] = await asked(context.workspace.client, jobId)
      const say = (sentAnswer: object) =>
        answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', sentAnswer)
      return { jobId, question, say }
    }
    /** Returns the run's question once the run has spent more than that. */
    const nextQuestion = (jobId: string, spent: number) =>
      waitUntil(async () => {
        const [question] = await asked(context.workspace.client, jobId)
        const { spent_usd = 0 } = (question?.context ?? {}) as { spent_usd?: number }
        return spent_usd > spent && question
      })
    beforeAll(() =>
      context.neuron({
        slug: 'spender',
        model: 'dear',
        neuron_type: 'agent',
        budget_usd: 3,
        tools: [{ reflex: 'desk' }],
      }),
    )

    test('asks a person, and continues within the new budget', async () => {
      const { jobId, question, say } = await breach('spend more')
      expect(question).toMatchObject({ kind: 'approval', context: { spent_usd: 6, budget_usd: 3 } })
      expect(context.questions('spend more')).toHaveLength(1)
      for (const data of [{ budget_usd: 6 }, { budget_usd: 'all' }])
        expect(await say({ action: 'approve', data })).toMatchObject({ status: 400 })
      expect((await say({ action: 'approve', data: { budget_usd: 6.5 } })).status).toBe(200)
      const { job } = await context.end(jobId)
      expect(job).toMatchObject({ ...completed, usage: { usd: 7 } })
    })

    test('asks again if the new budget is used up, too', async () => {
      context.plays('spend on', { tokens: ['a', 'b', 'c'], calls: [{ name: 'look', args: {} }] })
      const jobId = await context.start('spender', 'spend on')
      const limits: unknown[] = []
      for (const budget_usd of [5, 9]) {
        const question = await nextQuestion(jobId, limits.length * 4)
        limits.push(question.context)
        const sentAnswer = { action: 'approve', data: { budget_usd } }
        await answer(context.workspace.client, context.workspace.id, jobId, question.interventionId, sentAnswer)
      }
      await nextQuestion(jobId, 8)
      expect(limits).toEqual([
        { spent_usd: 4, budget_usd: 3 },
        { spent_usd: 8, budget_usd: 5 },
      ])
      await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    })

    test('fails if a person declines', async () => {
      const { jobId, say } = await breach('spend no more')
      expect((await say({ action: 'reject' })).status).toBe(200)
      const { job } = await context.end(jobId)
      expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('user:ann declined') })
      expect(context.questions('spend no more')).toHaveLength(1)
    })
  })
})
