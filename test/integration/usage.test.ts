import { useAgents } from '../support/agents.ts'
import { waitUntil } from '../support/process.ts'
import { answer, asked, jobWith } from '../support/runs.ts'

const PRICED = JSON.stringify([
  {
    id: 'small',
    context_window: 100_000,
    usd_per_mtok: { input: 1_000, output: 2_000 },
    capabilities: ['text', 'tools'],
  },
])
const place = useAgents({ env: { MODELS: PRICED } })

interface Usage {
  data: { group: string | null; calls: number; input_tokens: number; usd: number }[]
  total: { calls: number; input_tokens: number; output_tokens: number; usd: number }
}

const usage = async (query = '') => (await place.home.client.get<Usage>(`/v1/usage${query}`)).body
const invoke = (slug: string, body: object) =>
  place.home.client.post<{ job_id: string; usage: { usd: number } }>(`/v1/neurons/${slug}/invoke`, body)
const counted = { input_tokens: 10, output_tokens: 5 }

test('a run tells what it cost, and the ledger sums it up', async () => {
  const id = await place.neuron({ slug: 'counter' })
  place.plays('count me', { tokens: ['one'], usage: counted })
  const first = await invoke('counter', { message: 'count me' })
  expect(first.body.usage).toEqual({ ...counted, usd: 0.02 })
  await invoke('counter', { message: 'count me' })
  const byNeuron = await usage('?group_by=neuron')
  expect(byNeuron.data.find(({ group }) => group === id)).toMatchObject({ calls: 2, input_tokens: 20, usd: 0.04 })
  const byModel = await usage('?group_by=model')
  expect(byModel.data.find(({ group }) => group === 'small')).toMatchObject({ calls: 2 })
  expect((await usage('?group_by=job')).data.map(({ group }) => group)).toContain(first.body.job_id)
  const past = await usage('?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z')
  expect(past).toMatchObject({ data: [], total: { calls: 0, usd: 0 } })
})

test('what is embedded is in the ledger too', async () => {
  await place.home.client.post('/v1/search', { query: 'anything at all' })
  const isThere = async () => (await usage('?group_by=kind')).data.some(({ group }) => group === 'embedding')
  expect(await waitUntil(isThere, 5_000, () => 'it is not in the ledger')).toBe(true)
})

test.each(['?from=yesterday', '?group_by=mood', '?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z'])(
  '%s is refused',
  async query => {
    expect((await place.home.client.get(`/v1/usage${query}`)).status).toBe(400)
  },
)

describe('a budget', () => {
  const people = () =>
    place.home.client.post('/v1/reflexes', {
      title: 'Skills',
      slug: 'clock',
      source: 'builtin',
      tools: [{ name: 'current_time' }],
    })
  const spending = [
    { calls: [{ name: 'current_time', args: {} }], usage: counted },
    { calls: [{ name: 'current_time', args: {} }], usage: counted },
    { tokens: ['It is late.'], usage: counted },
  ]

  async function overspent(): Promise<{ job_id: string; id: string }> {
    const { body } = await invoke('spender', { message: 'spend it' })
    const [question] = await asked(place.home.client, body.job_id)
    expect(question).toMatchObject({
      kind: 'approval',
      node_id: 'budget',
      context: { spent_usd: 0.04, budget_usd: 0.03 },
    })
    return { job_id: body.job_id, id: question?.interventionId ?? '' }
  }

  beforeAll(async () => {
    await people()
    await place.neuron({
      slug: 'spender',
      neuron_type: 'agent',
      tools: [{ reflex: 'clock' }],
      budget_usd: 0.03,
    })
    place.plays('spend it', ...spending)
  })

  test('that is used up asks a person, and the run goes on with a new one', async () => {
    const { job_id, id } = await overspent()
    const wrong = await answer(place.home.client, place.home.id, job_id, id, {
      action: 'approve',
      data: { budget_usd: 0.01 },
    })
    expect(wrong.status).toBe(400)
    await answer(place.home.client, place.home.id, job_id, id, { action: 'approve', data: { budget_usd: 1 } })
    const job = await jobWith(place.home.client, job_id)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'It is late.' }, usage: { usd: 0.06 } })
  })

  test('that nobody extends ends the run', async () => {
    const { job_id, id } = await overspent()
    await answer(place.home.client, place.home.id, job_id, id, { action: 'reject' })
    const job = await jobWith(place.home.client, job_id)
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('declined to spend more') })
  })

  test('of one run goes before that of the neuron', async () => {
    const { body } = await invoke('spender', { message: 'spend it', neuron_task_options: { budget_usd: 5 } })
    expect(await jobWith(place.home.client, body.job_id)).toMatchObject({ status: 'completed' })
  })
})
