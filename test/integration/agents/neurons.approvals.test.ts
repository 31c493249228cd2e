import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { answer, asked, jobWith, pathway } from '../../support/runs/runs.ts'

const context = useAgents()

interface Refused {
  code: string
  message: string
  details: { pointer: string; message: string }[]
}

/** Longer than a form may be. The arguments are checked in the same way. */
const LONG = 'x'.repeat(9_000)
const PARAMETERS = {
  type: 'object',
  properties: { amount: { type: 'number' }, to: { type: 'string' } },
  required: ['amount'],
  additionalProperties: false,
}

/** One reflex for each kind of tool that can need approval. */
const REFLEXES = {
  writing: { source: 'builtin', tools: [{ name: 'write_artifact' }] },
  people: { source: 'builtin', tools: [{ name: 'ask_human' }] },
  payments: {
    source: 'openapi',
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Payments', version: '1' },
      servers: [{ url: 'http://127.0.0.1:9' }],
      paths: {
        '/pay': {
          post: {
            operationId: 'pay',
            parameters: [{ name: 'amount', in: 'query', required: true, schema: { type: 'number' } }],
            responses: { 200: { description: 'Paid' } },
          },
        },
      },
    },
  },
  refund: { source: 'pathway', target: 'refund' },
  desk: { source: 'neuron', target: 'desk' },
  long: { source: 'pathway', target: 'long' },
}

beforeAll(async () => {
  const { client } = context.workspace
  const made = async (path: string, body: object) =>
    expect([201, body]).toEqual([(await client.post(path, body)).status, body])
  const output = { ...pathway([{ id: 'done', type: 'end', output: { given: '${input}' } }]), input: PARAMETERS }
  const long = { ...output, input: { ...PARAMETERS, description: LONG } }
  await made('/v1/pathways', { title: 'Refund', slug: 'refund', definition: output })
  await made('/v1/pathways', { title: 'Long', slug: 'long', definition: long })
  await context.neuron({ slug: 'desk' })
  for (const [slug, fields] of Object.entries(REFLEXES)) {
    await made('/v1/reflexes', { title: slug, slug, ...fields })
    await context.neuron({ slug: `with-${slug}`, neuron_type: 'agent', tools: [{ reflex: slug, approval: 'always' }] })
  }
})

let runs = 0

/** Makes the agent ask for approval of a tool call. */
async function proposed(reflex: keyof typeof REFLEXES, tool: string, args: JsonObject) {
  const topic = `topic ${++runs}.`
  context.plays(topic, { calls: [{ name: tool, args }] }, { tokens: ['Done.'] })
  const message = `Please see to ${topic}`
  const { body } = await context.workspace.client.post<{ job_id: string }>(`/v1/neurons/with-${reflex}/invoke`, {
    message,
    stream: true,
  })
  const [question] = await asked(context.workspace.client, body.job_id)
  return { job_id: body.job_id, question }
}

const say = (jobId: string, id: string | undefined, answerFields: object) =>
  answer(context.workspace.client, context.workspace.id, jobId, id ?? '', answerFields)
const heard = () => context.models.requests.at(-1)?.turns.at(-1)?.text

describe('edited arguments of a call that needs approval', () => {
  test.each([
    ['writing', 'write_artifact', { title: 'A', content: 'b' }, { title: 'A', contnt: 'x' }, '/input/data'],
    ['writing', 'write_artifact', { title: 'A', content: 'b' }, { title: 7, content: 'x' }, '/input/data/title'],
    ['people', 'ask_human', { question: 'Well?' }, { question: 'Well?', options: 'a' }, '/input/data/options'],
    ['payments', 'pay', { amount: 5 }, { amount: 'five' }, '/input/data/amount'],
    ['refund', 'refund', { amount: 5 }, { amount: 5, too: 'Ann' }, '/input/data'],
    ['desk', 'desk', { message: 'hi' }, { message: 7 }, '/input/data/message'],
    ['long', 'long', { amount: 5 }, { amount: '5' }, '/input/data/amount'],
    ['long', 'long', { amount: 5 }, [5], '/input/data'],
  ] as const)(
    'of %s.%s %j are rejected as %j, and the question stays open',
    async (reflex, tool, args, data, pointer) => {
      const { job_id, question } = await proposed(reflex, tool, args)
      const { status, body } = await say(job_id, question?.interventionId, { action: 'approve', data })
      const refused = body as unknown as Refused
      expect([status, refused.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(refused.details.map(problem => problem.pointer)).toContain(pointer)
      expect(refused.message).toContain(tool)
      expect((await asked(context.workspace.client, job_id)).map(({ interventionId }) => interventionId)).toEqual([
        question?.interventionId,
      ])
      expect((await say(job_id, question?.interventionId, { action: 'reject', data })).status).toBe(200)
      expect(await jobWith(context.workspace.client, job_id)).toMatchObject({ status: 'completed' })
    },
  )

  test('are passed to the tool when they are valid', async () => {
    const { job_id, question } = await proposed('refund', 'refund', { amount: 5 })
    expect((await say(job_id, question?.interventionId, { action: 'approve', data: { amount: '6' } })).status).toBe(400)
    const { status } = await say(job_id, question?.interventionId, { action: 'approve', data: { amount: 6 } })
    expect(status).toBe(200)
    await jobWith(context.workspace.client, job_id)
    expect(JSON.parse(heard() ?? '')).toMatchObject({ given: { amount: 6 } })
  })

  test.each([
    ['writing', 'write_artifact', { title: 'A', content: 'b' }, { title: 'A', content: 'c' }, 'completed'],
    ['refund', 'refund', { amount: 5 }, { amount: 6 }, 'completed'],
    ['payments', 'pay', { amount: 5 }, { amount: 6 }, 'failed'],
  ] as const)(
    "of %s become the input of the call's node, even if the call fails",
    async (reflex, tool, args, data, status) => {
      const { job_id, question } = await proposed(reflex, tool, args)
      await say(job_id, question?.interventionId, { action: 'approve', data })
      const { nodes } = await jobWith(context.workspace.client, job_id)
      const node = nodes.find(({ key }) => key === `step-1/${tool}[0]`)
      expect(node).toMatchObject({ status, input: data })
      const approval = nodes.find(({ key }) => key === `step-1/${tool}[0]/approval`)
      expect(approval).toMatchObject({ port: 'approve', output: { by: 'user:ann', data } })
      if (reflex === 'writing') expect(node).toMatchObject({ output: { title: 'A', version: 1 } })
    },
  )

  test.each([
    ['refund', 'refund', { amount: 5 }],
    ['long', 'long', { amount: 5 }],
  ] as const)('of %s that are null or missing leave the proposed call unchanged', async (reflex, tool, args) => {
    for (const answerFields of [{}, { data: null }]) {
      const { job_id, question } = await proposed(reflex, tool, args)
      expect((await say(job_id, question?.interventionId, { action: 'approve', ...answerFields })).status).toBe(200)
      await jobWith(context.workspace.client, job_id)
      expect(JSON.parse(heard() ?? '')).toMatchObject({ given: { amount: 5 } })
    }
  })

  test('in a question to a person that are null leave the question unchanged', async () => {
    const { job_id, question } = await proposed('people', 'ask_human', { question: 'Which one?' })
    expect((await say(job_id, question?.interventionId, { action: 'approve', data: null })).status).toBe(200)
    const [next] = await asked(context.workspace.client, job_id)
    expect(next).toMatchObject({ kind: 'questions', title: 'Which one?' })
    await say(job_id, next?.interventionId, { action: 'answer_questions', answers: { answer: 'this' } })
    await jobWith(context.workspace.client, job_id)
  })

  test('are also checked when the answer is sent to the parent run of the agent', async () => {
    const topic = `topic ${++runs}.`
    context.plays(topic, { calls: [{ name: 'refund', args: { amount: 5 } }] }, { tokens: ['Done.'] })
    const definition = pathway(
      [
        { id: 'agent', type: 'neuron', ref: 'with-refund', with: { message: `See to ${topic}` } },
        { id: 'done', type: 'end', output: '${nodes.agent.output.text}' },
      ],
      'agent > done',
    )
    const { body } = await context.workspace.client.post<{ job_id: string }>('/v1/jobs', { pathway: definition })
    const [question] = await asked(context.workspace.client, body.job_id)
    expect(question?.form).toEqual(PARAMETERS)
    const refused = await say(body.job_id, question?.interventionId, { action: 'approve', data: { amount: '6' } })
    expect(refused.status).toBe(400)
    const taken = await say(body.job_id, question?.interventionId, { action: 'approve', data: { amount: 6 } })
    expect(taken.status).toBe(200)
    expect(await jobWith(context.workspace.client, body.job_id)).toMatchObject({ result: 'Done.' })
  })
})

describe('arguments that a neuron sets', () => {
  const title = 'Refund ${args.amount} to ${args.to}?'
  const approval = { when: 'args.to == "Ann"', title }
  const createFixed = (slug: string, fields: JsonObject) =>
    context.neuron({
      slug: `with-${slug}`,
      neuron_type: 'agent',
      variables: { who: 'Ann' },
      tools: [{ reflex: 'refund', with: { to: '${variables.who}' }, ...fields }],
    })

  test('are hidden from the model and passed to the tool', async () => {
    await createFixed('fixed', {})
    context.plays('refund the fee', { calls: [{ name: 'refund', args: { amount: 5 } }] }, { tokens: ['Done.'] })
    const body = { message: 'Please refund the fee', variables: { who: 'Bob' } }
    const { status } = await context.workspace.client.post('/v1/neurons/with-fixed/invoke', body)
    expect(status).toBe(200)
    expect(context.models.requests.at(-1)?.tools).toMatchObject([
      { name: 'refund', parameters: { properties: { amount: { type: 'number' } }, required: ['amount'] } },
    ])
    expect(JSON.stringify(context.models.requests.at(-1)?.tools)).not.toContain('"to"')
    expect(JSON.parse(heard() ?? '')).toMatchObject({ given: { amount: 5, to: 'Bob' } })
  })

  test('are shown to approvers, who cannot change them', async () => {
    await createFixed('refund-rule', { approval })
    const topic = `topic ${++runs}.`
    context.plays(topic, { calls: [{ name: 'refund', args: { amount: 5 } }] }, { tokens: ['Done.'] })
    const started = { message: `Please see to ${topic}`, stream: true }
    const { body } = await context.workspace.client.post<{ job_id: string }>(
      '/v1/neurons/with-refund-rule/invoke',
      started,
    )
    const [question] = await asked(context.workspace.client, body.job_id)
    expect(question).toMatchObject({
      title: 'Refund 5 to Ann?',
      context: { tool: 'refund', arguments: { amount: 5, to: 'Ann' } },
    })
    const data = { amount: 6, to: 'Eve' }
    const refused = await say(body.job_id, question?.interventionId, { action: 'approve', data })
    expect(refused.status).toBe(400)
    expect((refused.body as unknown as Refused).details).toContainEqual({
      pointer: '/input/data/to',
      message: 'must not be given, because the neuron sets it',
    })
    await say(body.job_id, question?.interventionId, { action: 'approve', data: { amount: 6 } })
    await jobWith(context.workspace.client, body.job_id)
    expect(JSON.parse(heard() ?? '')).toMatchObject({ given: { amount: 6, to: 'Ann' } })
  })

  test.each([
    [{ with: { too: 'Ann' } }, '/tools/0/with/too', 'must be an argument of refund'],
    [{ with: { amount: 'five' } }, '/tools/0/with/amount', 'must be a number'],
    [{ with: { to: '${variable.who}' } }, '/tools/0/with/to', undefined],
    [{ approval: { title: '${arg.to}' } }, '/tools/0/approval/title', undefined],
    [
      { approval: { when: 'args.amunt > 1.0' } },
      '/tools/0/approval/when',
      'no tool has the argument "args.amunt"; the arguments are amount, to',
    ],
    [
      { with: { to: 'Ann' }, again: true },
      '/tools/1',
      '"refund" is already in an earlier entry: only one entry may set a tool\'s arguments',
    ],
  ])(
    'and titles are checked when the neuron is saved: %j',
    async ({ again, ...fields }: JsonObject, pointer, message) => {
      const tools = [{ reflex: 'refund', ...fields }, ...(again ? [{ reflex: 'refund' }] : [])]
      const { status, body } = await context.workspace.client.post<Refused>('/v1/neurons', { title: 'Wrong', tools })
      expect([status, body.details]).toEqual([400, [{ pointer, message: message ?? expect.any(String) }]])
    },
  )
})

describe('the form of an approval', () => {
  test('is the schema of the arguments, both in the job and in the inbox', async () => {
    const { job_id, question } = await proposed('refund', 'refund', { amount: 5 })
    expect(question).toMatchObject({ kind: 'approval', context: { tool: 'refund' }, form: PARAMETERS })
    const inbox = await context.workspace.client.get<{ data: object[] }>(`/v1/interventions?job_id=${job_id}`)
    expect(inbox.body.data).toMatchObject([{ form: PARAMETERS }])
    await say(job_id, question?.interventionId, { action: 'reject' })
  })

  test('is omitted when the schema is long', async () => {
    const { job_id, question } = await proposed('long', 'long', { amount: 5 })
    expect(question).toMatchObject({ kind: 'approval', context: { tool: 'long' } })
    expect(question).not.toHaveProperty('form')
    await say(job_id, question?.interventionId, { action: 'reject' })
  })
})
