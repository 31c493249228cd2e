import type { Ledger } from '../support/ledger.ts'
import type { ModelReply, ModelServer } from '../support/model-server.ts'
import { stepOf } from '../support/agents.ts'
import { waitUntil } from '../support/process.ts'
import { answer, asked, jobWith, pathway, startRun } from '../support/runs.ts'
import type { TestWorkspace } from '../support/stack.ts'

interface Place {
  home: TestWorkspace
  models: ModelServer
  ledger: Ledger
}

/** Runs of neurons whose histories are kept. */
export const AGENT_SCENARIOS: Record<string, (place: Place) => Promise<string[]>> = {
  'agent-with-calls-approval-and-question': async place => {
    await makeNeuron(place, 'replay-agent', [
      { reflex: 'replay-tools', names: ['calculate', 'ask_human'] },
      { reflex: 'replay-tools', names: ['write_artifact'], approval: 'always' },
    ])
    const sum = (expression: string, id: string) => ({ name: 'calculate', args: { expression }, id })
    plays(
      place,
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
    const jobId = await invoke(place, 'replay-agent')
    const actions = ['approve', 'reject']
    for (const { interventionId, kind } of await asked(place.home.client, jobId)) {
      const answers = { action: 'answer_questions', answers: { answer: 'yes' } }
      await say(place, jobId, interventionId, kind === 'questions' ? answers : { action: actions.shift() })
    }
    return ended(place, jobId)
  },

  'agent-over-its-budget-paused-and-resumed': async place => {
    await makeNeuron(place, 'replay-spender', [{ reflex: 'replay-tools', names: ['calculate'] }], { budget_usd: 1 })
    const calls = [{ name: 'calculate', args: { expression: '1 + 1' } }]
    plays(place, { tokens: ['So', ' dear'], calls }, { tokens: ['Two.'] })
    const jobId = await invoke(place, 'replay-spender')
    const [question] = await asked(place.home.client, jobId)
    await place.home.client.post(`/v1/jobs/${jobId}/pause`)
    await say(place, jobId, question?.interventionId ?? '', { action: 'approve', data: { budget_usd: 20 } })
    await place.home.client.post(`/v1/jobs/${jobId}/resume`)
    return ended(place, jobId)
  },

  'agent-cancelled': async place => {
    await makeNeuron(place, 'replay-cancelled', [{ reflex: 'replay-tools', names: ['ask_human', 'http_fetch'] }])
    const url = `${place.ledger.url}/never?hang=true`
    plays(place, {
      calls: [
        { name: 'ask_human', args: { question: 'Well?' }, id: 'a' },
        { name: 'http_fetch', args: { url }, id: 'b' },
        { name: 'http_fetch', args: { url }, id: 'c' },
      ],
    })
    const jobId = await invoke(place, 'replay-cancelled')
    await waitUntil(() => place.ledger.requests.filter(({ path }) => path === '/never').length === 2)
    await place.home.client.post(`/v1/jobs/${jobId}/cancel`)
    return [jobId]
  },

  'chat-of-two-turns': async place => {
    await makeNeuron(place, 'replay-chat', [])
    plays(place, { tokens: ['Yes', '.'], delay_ms: 400 })
    const chat = async (trace: string, body: object) =>
      (await place.home.client.post<{ job_id: string; trace_id: string }>(`/v1/chat/${trace}`, body)).body
    const first = await chat('new', { message: 'Are you there?', neuron: 'replay-chat' })
    const second = await chat(first.trace_id, { message: 'Still there?' })
    await jobWith(place.home.client, second.job_id)
    return [first.job_id, second.job_id]
  },

  'pathway-with-a-neuron': async place => {
    await makeNeuron(place, 'replay-node', [{ reflex: 'replay-tools', names: ['ask_human'] }])
    plays(place, { calls: [{ name: 'ask_human', args: { question: 'Which?' } }] }, { tokens: ['That', ' one.'] })
    const node = { id: 'ask', type: 'neuron', ref: 'replay-node', with: { message: 'Which one?' } }
    const done = { id: 'done', type: 'end', output: '${nodes.ask.output.text}' }
    const jobId = await startRun(place.home.client, pathway([node, done], 'ask > done'))
    const [question] = await asked(place.home.client, jobId)
    const child = question?.job_id ?? ''
    const said = { action: 'answer_questions', answers: { answer: 'that' } }
    await say(place, child, question?.interventionId ?? '', said)
    return [...(await ended(place, jobId)), child]
  },

  'neuron-with-a-pathway-as-tool': async place => {
    const { client } = place.home
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
    await makeNeuron(place, 'replay-adder', [{ reflex: 'replay-add' }])
    const { body } = await client.get<{ data: { name: string; source: string }[] }>('/v1/tools')
    if (!body.data) throw new Error(JSON.stringify(body))
    const { name = '' } = body.data.find(({ source }) => source === 'pathway') ?? {}
    plays(place, { calls: [{ name, args: { n: 1 } }] }, { tokens: ['Two.'] })
    const jobId = await invoke(place, 'replay-adder')
    const [question] = await asked(client, jobId)
    await say(place, question?.job_id ?? '', question?.interventionId ?? '', { action: 'approve' })
    return [...(await ended(place, jobId)), question?.job_id ?? '']
  },
}

async function makeNeuron({ home }: Place, slug: string, tools: object[], more: object = {}): Promise<void> {
  const names = ['calculate', 'ask_human', 'write_artifact', 'http_fetch']
  // There already where another scenario was played before.
  await home.client.post('/v1/reflexes', {
    title: 'Tools',
    slug: 'replay-tools',
    source: 'builtin',
    tools: names.map(name => ({ name })),
  })
  const fields = { title: slug, slug, neuron_type: 'agent', model: 'dear', tools, ...more }
  const { status, body } = await home.client.post('/v1/neurons', fields)
  if (status !== 201) throw new Error(JSON.stringify(body))
}

/** What the model says from now on, in order of the steps of whoever asks. */
function plays({ models }: Place, ...replies: ModelReply[]): void {
  models.on(request => replies[Math.min(stepOf(request), replies.length) - 1])
}

async function invoke({ home }: Place, slug: string): Promise<string> {
  const invoked = { message: 'Go.', stream: true }
  return (await home.client.post<{ job_id: string }>(`/v1/neurons/${slug}/invoke`, invoked)).body.job_id
}

async function say({ home }: Place, jobId: string, interventionId: string, said: object): Promise<void> {
  await waitUntil(async () => (await answer(home.client, home.id, jobId, interventionId, said)).status === 200)
}

async function ended({ home }: Place, jobId: string): Promise<string[]> {
  const { job_id, status } = await jobWith(home.client, jobId)
  if (status !== 'completed') throw new Error(`${jobId} is ${status}`)
  return [job_id]
}
