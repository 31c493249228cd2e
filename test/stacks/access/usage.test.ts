import { savePlan } from '../../../data/access/plans-store.ts'
import { useOwnAgents } from '../../support/agents/agents.ts'
import { waitUntil } from '../../support/stack/process.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import type { Settings as SharedSettings } from '../../../contract/shared/settings.ts'
import type { Estimates } from '../../../contract/shared/estimates.ts'

const PRICED = JSON.stringify([
  {
    id: 'small',
    context_window: 100_000,
    usd_per_mtok: { input: 1_000, output: 2_000 },
    capabilities: ['text', 'tools'],
  },
])
const PLANS = JSON.stringify({
  standard: { requests_per_minute: 1_000_000 },
  capped: { requests_per_minute: 1_000_000, included_usd: 0.05, run_reserve_usd: 0.02 },
})
const context = useOwnAgents({ PLANS, MODELS: PRICED, EMBEDDING_USD_PER_MTOK: '2', SPEECH_USD_PER_MINUTE: '0.5' })

interface Usage {
  data: { group: string | null; slug: string | null; calls: number; input_tokens: number; usd: number }[]
  total: { calls: number; input_tokens: number; output_tokens: number; usd: number }
  plan: { name: string; limits: object; used: object }
}

type Settings = SharedSettings & { estimates: Estimates }

const usage = async (query = '') => (await context.workspace.client.get<Usage>(`/v1/usage${query}`)).body
const invoke = (slug: string, body: object) =>
  context.workspace.client.post<{ job_id: string; usage: { usd: number } }>(`/v1/neurons/${slug}/invoke`, body)
const counted = { input_tokens: 10, output_tokens: 5 }

test('a run reports its cost, and the ledger contains the total', async () => {
  const id = await context.neuron({ slug: 'counter' })
  context.plays('count me', { tokens: ['one'], usage: counted })
  const first = await invoke('counter', { message: 'count me' })
  expect(first.body.usage).toEqual({ ...counted, usd: 0.02 })
  await invoke('counter', { message: 'count me' })
  const byNeuron = await usage('?group_by=neuron')
  expect(byNeuron.data.find(({ group }) => group === id)).toMatchObject({
    slug: 'counter',
    calls: 2,
    input_tokens: 20,
    usd: 0.04,
  })
  const byModel = await usage('?group_by=model')
  expect(byModel.data.find(({ group }) => group === 'small')).toMatchObject({ calls: 2 })
  expect((await usage('?group_by=job')).data.map(({ group }) => group)).toContain(first.body.job_id)
  const past = await usage('?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z')
  expect(past).toMatchObject({ data: [], total: { calls: 0, usd: 0 } })
})

test('GET /v1/config estimates call costs from recent runs, or from prices if there are none', async () => {
  const { body } = await context.workspace.client.get<Settings>('/v1/config')
  expect(body.embedding).toMatchObject({ usd_per_mtok: 2 })
  const { neuron_run, pathway_run, ingest_1000_words, search_query, transcribe_minute } = body.estimates
  expect(neuron_run).toEqual({ runs: 2, ...counted, usd: 0.02 })
  expect(pathway_run).toBeNull()
  for (const { input_tokens, usd } of [ingest_1000_words, search_query])
    expect(usd).toBeCloseTo((input_tokens * 2) / 1_000_000, 12)
  expect(transcribe_minute).toEqual(body.transcription && { usd: 0.5 })
  const stranger = await context.stack.workspace()
  const { body: other } = await stranger.client.get<Settings>('/v1/config')
  expect(other.estimates).toMatchObject({ neuron_run: null, ingest_1000_words })
})

/** Creates a workspace whose plan includes the cost of two and a half model calls. */
async function openCapped() {
  const workspace = await context.stack.workspace()
  const plan = { plan: 'capped', trial_ends_at: null }
  await context.stack.database.db.inWorkspace(workspace.id, tx => savePlan(tx, plan))
  return workspace
}

const count = (id: string) => ({ id, type: 'neuron', with: { model: 'small', message: 'count me' } })

test('the plan of a workspace includes its usage', async () => {
  const { client } = await openCapped()
  context.plays('count me', { tokens: ['one'], usage: counted })
  for (let i = 0; i < 2; i++) await jobWith(client, await startRun(client, pathway([count('a')])), 'completed')
  const { body } = await client.get<Usage>('/v1/usage')
  expect(body.plan).toMatchObject({
    name: 'capped',
    limits: { requests_per_minute: 1_000_000, included_usd: 0.05, run_reserve_usd: 0.02 },
    used: { spent_usd: 0.04, reserved_usd: 0, runs_in_flight: 0 },
  })
  const refused = await client.post('/v1/jobs', { pathway: pathway([count('a')]) })
  expect(refused).toMatchObject({ status: 403, body: { code: 'cost_cap' } })
  expect((await client.get('/v1/jobs')).status).toBe(200)
})

test('a run that exhausts the included spend fails at its next model call', async () => {
  const { client } = await openCapped()
  context.plays('count me', { tokens: ['one'], usage: counted })
  const nodes = ['a', 'b', 'c', 'd'].map(count)
  const jobId = await startRun(client, pathway(nodes, 'a > b', 'b > c', 'c > d'))
  const { error, usage } = await jobWith(client, jobId, 'failed')
  expect(error).toMatchObject({ code: 'cost_cap', node_key: 'd' })
  expect(usage).toMatchObject({ usd: 0.06 })
  const write = await client.post('/v1/skills', { title: 'x' })
  expect(write).toMatchObject({ status: 403, body: { code: 'cost_cap' } })
})

test('embeddings are recorded in the ledger, too', async () => {
  await context.workspace.client.post('/v1/search', { query: 'anything at all' })
  const isThere = async () => (await usage('?group_by=kind')).data.some(({ group }) => group === 'embedding')
  expect(await waitUntil(isThere)).toBe(true)
})

test.each(['?from=yesterday', '?group_by=mood', '?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z'])(
  '%s is rejected',
  async query => {
    expect((await context.workspace.client.get(`/v1/usage${query}`)).status).toBe(400)
  },
)

describe('a budget', () => {
  const people = () =>
    context.workspace.client.post('/v1/reflexes', {
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
    const [question] = await asked(context.workspace.client, body.job_id)
    expect(question).toMatchObject({
      kind: 'approval',
      node_id: 'budget',
      context: { spent_usd: 0.04, budget_usd: 0.03 },
    })
    return { job_id: body.job_id, id: question?.interventionId ?? '' }
  }

  beforeAll(async () => {
    await people()
    await context.neuron({
      slug: 'spender',
      neuron_type: 'agent',
      tools: [{ reflex: 'clock' }],
      budget_usd: 0.03,
    })
    context.plays('spend it', ...spending)
  })

  test('that is used up asks a person, and the run continues with a new budget', async () => {
    const { job_id, id } = await overspent()
    const { body: diagnosis } = await context.workspace.client.get(`/v1/jobs/${job_id}/diagnosis`)
    expect(diagnosis).toMatchObject({ cause: 'budget_reached', evidence: { limit: 'budget', intervention_id: id } })
    const wrong = await answer(context.workspace.client, context.workspace.id, job_id, id, {
      action: 'approve',
      data: { budget_usd: 0.01 },
    })
    expect(wrong.status).toBe(400)
    await answer(context.workspace.client, context.workspace.id, job_id, id, {
      action: 'approve',
      data: { budget_usd: 1 },
    })
    const job = await jobWith(context.workspace.client, job_id)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'It is late.' }, usage: { usd: 0.06 } })
  })

  test('that a person refuses to extend ends the run', async () => {
    const { job_id, id } = await overspent()
    await answer(context.workspace.client, context.workspace.id, job_id, id, { action: 'reject' })
    const job = await jobWith(context.workspace.client, job_id)
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('declined to spend more') })
  })

  test("on a run overrides the neuron's budget", async () => {
    const { body } = await invoke('spender', { message: 'spend it', neuron_task_options: { budget_usd: 5 } })
    expect(await jobWith(context.workspace.client, body.job_id)).toMatchObject({ status: 'completed' })
  })
})

describe('runs inside a run', () => {
  const says = (id: string) => ({ id, type: 'neuron', with: { message: `one word from ${id}` } })
  const asks = (id: string, ref: string, message: string) => ({ id, type: 'neuron', ref, with: { message } })
  const detail = async (id: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${id}`)).body
  const children = async (parent: string) => {
    const { body } = await context.workspace.client.get<{ jobs: JobDetail[] }>('/v1/jobs?limit=200')
    return body.jobs.filter(({ parent_job_id }) => parent_job_id === parent)
  }
  /** A run's last usage is written shortly after its end. */
  const spends = (jobId: string, calls: number) =>
    waitUntil(
      async () => (await detail(jobId)).usage.input_tokens === calls * counted.input_tokens && detail(jobId),
      undefined,
      () => `${jobId} has not used ${calls} calls`,
    )

  beforeAll(async () => {
    context.plays('one word', { tokens: ['yes'], usage: counted })
    await context.workspace.client.post('/v1/pathways', {
      title: 'Inner',
      slug: 'inner',
      definition: pathway([says('deep'), { id: 'end', type: 'end', output: 'said' }], 'deep > end'),
    })
    await context.workspace.client.post('/v1/reflexes', {
      title: 'Inner',
      slug: 'inner',
      source: 'pathway',
      target: 'inner',
    })
    await context.neuron({ slug: 'middle', neuron_type: 'agent', tools: [{ reflex: 'inner' }] })
    context.plays(
      'go inside',
      { calls: [{ name: 'inner', args: {} }], usage: counted },
      { tokens: ['ok'], usage: counted },
    )
    await context.neuron({ slug: 'leaf' })
  })

  test('count towards every parent run, and the ledger matches the outermost run', async () => {
    const root = await startRun(
      context.workspace.client,
      pathway(
        [says('own'), asks('agent', 'middle', 'go inside'), { id: 'end', type: 'end', output: 1 }],
        'own > agent',
        'agent > end',
      ),
    )
    expect(await jobWith(context.workspace.client, root)).toMatchObject({ status: 'completed', parent_job_id: null })
    const all = await spends(root, 4)
    expect(all.usage).toEqual({ input_tokens: 40, output_tokens: 20, usd: 0.08 })
    const [agent] = await children(root)
    expect(agent).toMatchObject({ root_job_id: root, usage: { input_tokens: 30, output_tokens: 15, usd: 0.06 } })
    const [inner] = await children(agent?.job_id ?? '')
    expect(inner).toMatchObject({ root_job_id: root, usage: { input_tokens: 10, output_tokens: 5, usd: 0.02 } })
    const byJob = await usage('?group_by=job&limit=200')
    expect(byJob.data.find(({ group }) => group === root)).toMatchObject({ calls: 4, ...all.usage })
  })

  test('that finish at the same time are all counted', async () => {
    const each = {
      id: 'each',
      type: 'map',
      items: Array.from({ length: 20 }, (_, i) => i),
      concurrency: 20,
      body: { nodes: [asks('agent', 'leaf', 'one word')], edges: [] },
    }
    const root = await startRun(
      context.workspace.client,
      pathway([each, says('beside'), { id: 'end', type: 'end', output: 1 }], 'each > end', 'beside > end'),
    )
    expect(await jobWith(context.workspace.client, root)).toMatchObject({ status: 'completed' })
    await spends(root, 21)
    expect(await children(root)).toHaveLength(20)
  })
})
