import type { Ledger } from '../support/shared/ledger.ts'
import type { ModelReply, ModelServer } from '../support/agents/model-server.ts'
import { countStep } from '../support/agents/agents.ts'
import { waitUntil } from '../support/stack/process.ts'
import { answer, asked, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import type { TestWorkspace } from '../support/stack/stack.ts'

interface ScenarioContext {
  workspace: TestWorkspace
  models: ModelServer
  ledger: Ledger
}

/** Scenarios for neuron runs. */
export const AGENT_SCENARIOS: Record<string, (context: ScenarioContext) => Promise<string[]>> = {
  'agents/agent-with-calls-approval-and-question': async context => {
    await createNeuron(context, 'replay-agent', [
      { reflex: 'replay-tools', names: ['calculate', 'ask_human'] },
      { reflex: 'replay-tools', names: ['write_artifact'], approval: 'always' },
    ])
    const sum = (expression: string, id: string) => ({ name: 'calculate', args: { expression }, id })
    setModelReplies(
      context,
      { calls: [sum('1 + 1', 'a'), sum('2 *', 'b'), { name: 'unknown', args: {}, id: 'c' }] },
      {
        calls: [
          { name: 'write_artifact', args: { title: 'Sums', content: '2' }, id: 'd' },
          { name: 'ask_human', args: { question: 'Is it two?' }, id: 'e' },
          { name: 'write_artifact', args: { title: 'More sums', content: '4' }, id: 'f' },
        ],
      },
      { tokens: ['It', ' is two.'] },
    )
    const jobId = await invokeNeuron(context, 'replay-agent')
    const actions = ['approve', 'reject']
    for (const { interventionId, kind } of await asked(context.workspace.client, jobId)) {
      const answers = { action: 'answer_questions', answers: { answer: 'yes' } }
      await submitAnswer(context, jobId, interventionId, kind === 'questions' ? answers : { action: actions.shift() })
    }
    return waitForEnd(context, jobId)
  },

  'agents/agent-over-its-budget-paused-and-resumed': async context => {
    await createNeuron(context, 'replay-spender', [{ reflex: 'replay-tools', names: ['calculate'] }], { budget_usd: 1 })
    const calls = [{ name: 'calculate', args: { expression: '1 + 1' } }]
    setModelReplies(context, { tokens: ['So', ' dear'], calls }, { tokens: ['Two.'] })
    const jobId = await invokeNeuron(context, 'replay-spender')
    const [question] = await asked(context.workspace.client, jobId)
    await context.workspace.client.post(`/v1/jobs/${jobId}/pause`)
    await submitAnswer(context, jobId, question?.interventionId ?? '', { action: 'approve', data: { budget_usd: 20 } })
    await context.workspace.client.post(`/v1/jobs/${jobId}/resume`)
    return waitForEnd(context, jobId)
  },

  'agents/agent-activities-with-node-keys-as-ids': async context => {
    await createNeuron(context, 'replay-keys', [{ reflex: 'replay-tools', names: ['calculate'] }])
    const calls = ['1 + 1', '2 + 2'].map((expression, i) => ({ name: 'calculate', args: { expression }, id: `k${i}` }))
    setModelReplies(context, { calls }, { tokens: ['Two', ' and four.'] })
    return waitForEnd(context, await invokeNeuron(context, 'replay-keys'))
  },

  'agents/agent-with-short-calls': async context => {
    await createNeuron(context, 'replay-short', [{ reflex: 'replay-tools', names: ['calculate', 'write_artifact'] }])
    const sum = (expression: string, id: string) => ({ name: 'calculate', args: { expression }, id })
    setModelReplies(
      context,
      { calls: [sum('1 + 1', 'a'), sum('2 / 0', 'b'), sum('2 + 2', 'c')] },
      { calls: [sum('3 + 3', 'd'), { name: 'write_artifact', args: { title: 'Sums', content: '6' }, id: 'e' }] },
      { tokens: ['Six', '.'] },
    )
    return waitForEnd(context, await invokeNeuron(context, 'replay-short'))
  },

  'agents/agent-cancelled': async context => {
    await createNeuron(context, 'replay-cancelled', [{ reflex: 'replay-tools', names: ['ask_human', 'http_fetch'] }])
    const url = `${context.ledger.url}/never?hang=true`
    setModelReplies(context, {
      calls: [
        { name: 'ask_human', args: { question: 'Well?' }, id: 'a' },
        { name: 'http_fetch', args: { url }, id: 'b' },
        { name: 'http_fetch', args: { url }, id: 'c' },
      ],
    })
    const jobId = await invokeNeuron(context, 'replay-cancelled')
    await waitUntil(() => context.ledger.requests.filter(({ path }) => path === '/never').length === 2)
    await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    return [jobId]
  },

  'agents/chat-of-two-turns': async context => {
    await createNeuron(context, 'replay-chat', [])
    setModelReplies(context, { tokens: ['Yes', '.'], delay_ms: 400 })
    const chat = async (trace: string, body: object) =>
      (await context.workspace.client.post<{ job_id: string; trace_id: string }>(`/v1/chat/${trace}`, body)).body
    const first = await chat('new', { message: 'Are you there?', neuron: 'replay-chat' })
    const second = await chat(first.trace_id, { message: 'Still there?' })
    await jobWith(context.workspace.client, second.job_id)
    return [first.job_id, second.job_id]
  },

  'agents/pathway-with-a-neuron': async context => {
    await createNeuron(context, 'replay-node', [{ reflex: 'replay-tools', names: ['ask_human'] }])
    setModelReplies(
      context,
      { calls: [{ name: 'ask_human', args: { question: 'Which?' } }] },
      { tokens: ['That', ' one.'] },
    )
    const node = { id: 'ask', type: 'neuron', ref: 'replay-node', with: { message: 'Which one?' } }
    const done = { id: 'done', type: 'end', output: '${nodes.ask.output.text}' }
    const jobId = await startRun(context.workspace.client, pathway([node, done], 'ask > done'))
    const [question] = await asked(context.workspace.client, jobId)
    const child = question?.job_id ?? ''
    const reply = { action: 'answer_questions', answers: { answer: 'that' } }
    await submitAnswer(context, child, question?.interventionId ?? '', reply)
    return [...(await waitForEnd(context, jobId)), child]
  },

  'agents/neuron-with-a-pathway-as-tool': async context => {
    const { client } = context.workspace
    const child = pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'z', type: 'end', output: '${input.n + 1}' },
      ],
      'ask.approve > z',
      'ask.reject > z',
    )
    await client.post('/v1/pathways', { title: 'Add', slug: 'replay-add', definition: child })
    await client.post('/v1/reflexes', { title: 'Add', slug: 'replay-add', source: 'pathway', target: 'replay-add' })
    await createNeuron(context, 'replay-adder', [{ reflex: 'replay-add' }])
    const { body } = await client.get<{ data: { name: string; source: string }[] }>('/v1/tools')
    if (!body.data) throw new Error(JSON.stringify(body))
    const { name = '' } = body.data.find(({ source }) => source === 'pathway') ?? {}
    setModelReplies(context, { calls: [{ name, args: { n: 1 } }] }, { tokens: ['Two.'] })
    const jobId = await invokeNeuron(context, 'replay-adder')
    const [question] = await asked(client, jobId)
    await submitAnswer(context, question?.job_id ?? '', question?.interventionId ?? '', { action: 'approve' })
    return [...(await waitForEnd(context, jobId)), question?.job_id ?? '']
  },
}

async function createNeuron(
  { workspace }: ScenarioContext,
  slug: string,
  tools: object[],
  more: object = {},
): Promise<void> {
  const names = ['calculate', 'ask_human', 'write_artifact', 'http_fetch']
  // An earlier scenario may have created it already.
  await workspace.client.post('/v1/reflexes', {
    title: 'Tools',
    slug: 'replay-tools',
    source: 'builtin',
    tools: names.map(name => ({ name })),
  })
  const fields = { title: slug, slug, neuron_type: 'agent', model: 'dear', tools, ...more }
  const { status, body } = await workspace.client.post('/v1/neurons', fields)
  if (status !== 201) throw new Error(JSON.stringify(body))
}

/** Sets the model's replies, one for each step of a run. */
function setModelReplies({ models }: ScenarioContext, ...replies: ModelReply[]): void {
  models.on(request => replies[Math.min(countStep(request), replies.length) - 1])
}

async function invokeNeuron({ workspace }: ScenarioContext, slug: string): Promise<string> {
  const message = { message: 'Go.', stream: true }
  return (await workspace.client.post<{ job_id: string }>(`/v1/neurons/${slug}/invoke`, message)).body.job_id
}

async function submitAnswer(
  { workspace }: ScenarioContext,
  jobId: string,
  interventionId: string,
  reply: object,
): Promise<void> {
  await waitUntil(
    async () => (await answer(workspace.client, workspace.id, jobId, interventionId, reply)).status === 200,
  )
}

async function waitForEnd({ workspace }: ScenarioContext, jobId: string): Promise<string[]> {
  const { job_id, status } = await jobWith(workspace.client, jobId)
  if (status !== 'completed') throw new Error(`${jobId} is ${status}`)
  return [job_id]
}
