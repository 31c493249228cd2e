import type { ForkStarted, ForkPlanView } from '../../../contract/runs/fork.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { execute } from '../../../data/shared/statements.ts'

const context = useStack()

const post = (id: string, path = id, more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${path}`, json: {} },
  ...more,
})
const requests = (path: string) => context.ledger.requests.filter(request => request.path === `/${path}`)
const z = (output: unknown) => ({ id: 'z', type: 'end', output })

type Refusal = { code: string; message: string; details?: { pointer: string; message: string }[] }

async function fork(jobId: string, body: object, client: ApiClient = context.workspace.client): Promise<string> {
  const started = await client.post<ForkStarted>(`/v1/jobs/${jobId}/fork`, body)
  expect([started.status, started.body]).toMatchObject([202, { status: 'pending', forked_from: { job_id: jobId } }])
  return started.body.job_id
}

const refused = async (path: string, body: object, client: ApiClient = context.workspace.client) => {
  const { status, body: refusal } = await client.post<Refusal>(path, body)
  return { status, message: refusal.message, details: refusal.details }
}

describe('a run with a decision between two calls', () => {
  const LONG = 'x'.repeat(3_000)
  let jobId: string
  let definition: object
  beforeAll(async () => {
    definition = pathway(
      [
        post('price', 'f-price'),
        { id: 'review', type: 'human', kind: 'approval', title: 'Pay?', assignees: ['user:ann', 'user:bob'] },
        post('pay', 'f-pay'),
        { id: 'no', type: 'end', output: 'refused' },
        z({
          price: '${nodes.price.output.body.path}',
          by: '${nodes.review.output.by}',
          note: '${nodes.review.output.comment}',
        }),
      ],
      'price > review',
      'review.approve > pay',
      'review.reject > no',
      'pay > z',
    )
    jobId = await startRun(context.workspace.client, definition)
    await decide(jobId, 'approve', LONG)
    await jobWith(context.workspace.client, jobId, 'completed')
  })

  async function decide(run: string, action: string, comment?: string, actor = 'user:bob'): Promise<void> {
    const [question] = await asked(context.workspace.client, run)
    const client = await context.workspace.as(actor)
    const said = await answer(client, context.workspace.id, run, question?.interventionId ?? '', { action, comment })
    expect(said.status).toBe(200)
  }

  test('a dry run lists reused steps, steps that run and repeated effects, and starts nothing', async () => {
    const { status, body } = await context.workspace.client.post<ForkPlanView>(`/v1/jobs/${jobId}/fork`, {
      from_node: 'pay',
      dry_run: true,
    })
    expect([status, body]).toMatchObject([
      200,
      {
        counts: { reused: 2, runs: 2, repeated_effects: 1 },
        reused: [{ key: 'price' }, { key: 'review' }],
        runs: [
          { key: 'pay', reason: 'fork_point' },
          { key: 'z', reason: 'after' },
        ],
        asked_again: [],
        repeated_effects: [{ key: 'pay', status: 'completed', decided_at: ['review'] }],
      },
    ])
    expect(await read(jobId)).not.toHaveProperty('forks')
  })

  test('a fork with a corrected output asks for a new decision, and both runs link to each other', async () => {
    const forked = await fork(jobId, {
      from_node: 'pay',
      outputs: { price: { status: 200, headers: {}, body: { path: '/corrected' } } },
      reason: 'the price was wrong',
    })
    await decide(forked, 'approve', LONG)
    const job = await jobWith(context.workspace.client, forked)
    expect(job).toMatchObject({ status: 'completed', result: { price: '/corrected', by: 'user:bob', note: LONG } })
    expect(requests('f-price')).toHaveLength(1)
    const keys = requests('f-pay').map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
    const link = {
      kind: 'fork',
      from_node: 'pay',
      by: 'user:ann',
      reason: 'the price was wrong',
      changes: { outputs: ['price'] },
    }
    expect(job.forked_from).toMatchObject({ job_id: jobId, ...link })
    expect((await read(jobId)).forks).toMatchObject([{ job_id: forked, ...link }])
    expect(job.forked_from?.decisions).toMatchObject({ asked_again: [{ key: 'review', changed: ['nodes.price'] }] })
    expect(job.nodes.find(({ key }) => key === 'review')).not.toHaveProperty('origin_job_id')
    expect(job.nodes.find(({ key }) => key === 'price')).toMatchObject({ output: { body: { path: '/corrected' } } })
    expect(await replayRuns([forked])).toEqual([])
  })

  test('a fork of a fork reuses the steps that the first fork reused', async () => {
    const first = await fork(jobId, { from_node: 'pay' })
    await jobWith(context.workspace.client, first, 'completed')
    const second = await jobWith(context.workspace.client, await fork(first, { from_node: 'z' }))
    expect(second).toMatchObject({ status: 'completed', result: { note: LONG } })
    expect(second.nodes.find(({ key }) => key === 'review')).toMatchObject({ origin_job_id: jobId })
    expect(second.nodes.find(({ key }) => key === 'pay')).toMatchObject({ origin_job_id: first })
  })

  test('people who may decide can reopen a decision with a reason', async () => {
    const { body } = await context.workspace.client.get<{ data: InterventionView[] }>(
      `/v1/interventions?job_id=${jobId}`,
    )
    const id = body.data[0]?.interventionId ?? ''
    const path = `/v1/interventions/${id}/reopen`
    const reason = 'new facts'
    expect((await refused(path, { reason }, await context.workspace.as('user:eve'))).status).toBe(403)
    expect((await refused(path, {})).status).toBe(400)
    const bob = await context.workspace.as('user:bob')
    const { status, body: started } = await bob.post<ForkStarted>(path, { reason })
    expect(status).toBe(202)
    await decide(started.job_id, 'reject', undefined, 'user:ann')
    const job = await jobWith(context.workspace.client, started.job_id)
    expect(job).toMatchObject({
      result: 'refused',
      requester: 'user:ann',
      forked_from: { job_id: jobId, kind: 'reopen', from_node: 'review', by: 'user:bob', reason },
    })
    expect(await read(jobId)).toMatchObject({ result: { by: 'user:bob' } })
  })

  test('a repeated request with an Idempotency-Key returns the same fork', async () => {
    const headers = { 'Idempotency-Key': `fork-${jobId}` }
    const send = () =>
      context.workspace.client.post<ForkStarted>(`/v1/jobs/${jobId}/fork`, { from_node: 'z' }, { headers })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body).toEqual(first.body)
  })

  test.each([
    ['an unknown node', { from_node: 'x' }, '/from_node'],
    ['a node that the run never reached', { from_node: 'no' }, '/from_node'],
    ['a replaced decision', { from_node: 'pay', outputs: { review: {} } }, '/outputs/review'],
    ['an invalid output', { from_node: 'pay', outputs: { price: 7 } }, '/outputs/price'],
    ['an output after the node', { from_node: 'pay', outputs: { pay: { status: 200 } } }, '/outputs/pay'],
    ['a version of an inline pathway', { from_node: 'pay', pathway_version: 2 }, '/pathway_version'],
  ])('%s is rejected with a pointer', async (_, body, pointer) => {
    expect(await refused(`/v1/jobs/${jobId}/fork`, body)).toMatchObject({ status: 400, details: [{ pointer }] })
  })
})

const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body

test('a child run, and a run that is still executing the node, cannot be forked', async () => {
  const { client } = context.workspace
  const ask = { id: 'ask', type: 'human', kind: 'approval' }
  const inner = pathway([ask, { id: 'y', type: 'end' }], 'ask.approve > y', 'ask.reject > y')
  await client.post('/v1/pathways', { title: 'Inner', slug: 'inner-fork', definition: inner })
  const jobId = await startRun(client, pathway([{ id: 'sub', type: 'pathway', ref: 'inner-fork', with: {} }]))
  const [question] = await asked(client, jobId)
  expect(await refused(`/v1/jobs/${jobId}/fork`, { from_node: 'sub' })).toMatchObject({
    status: 409,
    message: 'sub is still running: cancel the run, or wait until it ends',
  })
  const child = question?.job_id ?? ''
  expect((await refused(`/v1/jobs/${child}/fork`, { from_node: 'ask' })).message).toContain(jobId)
  expect((await refused(`/v1/jobs/${jobId}/retry`, {})).status).toBe(400)
  await answer(client, context.workspace.id, jobId, question?.interventionId ?? '', { action: 'approve' })
  await jobWith(client, jobId)
  const forked = await fork(jobId, { from_node: 'sub' })
  const [again] = await asked(client, forked)
  expect(again?.job_id).not.toBe(child)
  await client.post(`/v1/jobs/${forked}/cancel`)
})

test('a retry of a failed run repeats the failed and the compensated steps, and reuses its children’s results', async () => {
  const { client } = context.workspace
  const inner = pathway([{ id: 'y', type: 'end', output: { text: 'y'.repeat(3_000) } }])
  await client.post('/v1/pathways', { title: 'Long', slug: 'long-fork', definition: inner })
  const definition = pathway(
    [
      { id: 'sub', type: 'pathway', ref: 'long-fork', with: {} },
      post('reserve', 'r-reserve', { compensate: 'release' }),
      post('release', 'r-release'),
      post('once', 'r-once'),
      { id: 'each', type: 'map', items: [1, 2, 3], body: { nodes: [post('item', 'r-item')], edges: [] } },
      {
        id: 'last',
        type: 'http',
        with: { method: 'POST', url: `${context.ledger.url}/r-last?\${input.query}`, json: {} },
      },
      z('${size(nodes.sub.output.text) + nodes.each.output.size()}'),
    ],
    'sub > once',
    'once > each',
    'each > last',
    'reserve > last',
    'last > z',
  )
  const jobId = await startRun(client, definition, { query: 'status=422' })
  expect(await jobWith(client, jobId)).toMatchObject({ status: 'failed', error: { node_key: 'last' } })
  const plan = await client.post<ForkPlanView>(`/v1/jobs/${jobId}/retry`, { dry_run: true })
  expect(plan.body.runs.map(({ key, reason }) => [key, reason])).toEqual([
    ['reserve', 'compensated'],
    ['last', 'after'],
    ['z', 'after'],
  ])
  expect(plan.body.repeated_effects.map(({ key }) => key).toSorted()).toEqual(['last', 'reserve'])
  const { body } = await client.post<ForkStarted>(`/v1/jobs/${jobId}/retry`, { input: { query: 'status=200' } })
  expect(await jobWith(client, body.job_id)).toMatchObject({
    status: 'completed',
    result: 3_003,
    forked_from: { kind: 'retry', from_node: 'last', changes: { input: true } },
  })
  const counts = ['r-once', 'r-item', 'r-reserve', 'r-last'].map(path => requests(path).length)
  expect(counts).toEqual([1, 3, 2, 2])
})

test('an output that the worker could not write is read from Temporal', async () => {
  const { client, id } = context.workspace
  const definition = pathway(
    [
      post('regular', 'h-regular'),
      post('local', 'h-local', { idempotent: true }),
      z('${nodes.regular.output.body.path + nodes.local.output.body.path}'),
    ],
    'regular > local',
    'local > z',
  )
  const jobId = await startRun(client, definition)
  await jobWith(client, jobId, 'completed')
  await context.stack.database.db.inWorkspace(id, tx =>
    execute(tx, 'update job_nodes set output = null where job_id = $1', [jobId]),
  )
  const job = await jobWith(client, await fork(jobId, { from_node: 'z' }))
  expect(job).toMatchObject({ status: 'completed', result: '/h-regular/h-local' })
  expect(job.nodes.map(({ output }) => output)).not.toContain(undefined)
})

test('an iteration is addressed by its number, and the fork can use a new version of the pathway', async () => {
  const { client } = context.workspace
  const version = (path: string) =>
    pathway(
      [
        { id: 'each', type: 'map', items: [1, 2, 3], concurrency: 1, body: { nodes: [post('item', path)], edges: [] } },
        z('${nodes.each.output.map(one, one.body.path)}'),
      ],
      'each > z',
    )
  const { body: made } = await client.post<{ id: string }>('/v1/pathways', {
    title: 'Items',
    slug: 'items',
    definition: version('v-1'),
  })
  const { body: run } = await client.post<{ job_id: string }>(`/v1/pathways/${made.id}/execute`, {})
  await jobWith(client, run.job_id, 'completed')
  await client.patch(`/v1/pathways/${made.id}`, { definition: version('v-2') })
  const forked = await fork(run.job_id, { from_node: 'each[1]/item', pathway_version: 2 })
  expect(await jobWith(client, forked)).toMatchObject({
    status: 'completed',
    pathway_version: 2,
    result: ['/v-1', '/v-2', '/v-1'],
  })
  expect([requests('v-1').length, requests('v-2').length]).toEqual([3, 1])
})

test('a loop iteration is addressed by its number: earlier iterations are reused, and that iteration and later ones run again', async () => {
  const { client, id } = context.workspace
  const { schema: _, ...body } = pathway(
    [
      post('draft', 'l-draft'),
      { id: 'check', type: 'human', kind: 'approval', title: 'turn ${iteration}' },
      { id: 'good', type: 'end', output: { done: true, turns: '${iteration}' } },
      { id: 'poor', type: 'end', output: { done: false } },
    ],
    'draft > check',
    'check.approve > good',
    'check.reject > poor',
  )
  const decide = async (run: string, turn: number, action: string) => {
    const question = await waitUntil(async () =>
      (await asked(client, run)).find(({ title }) => title === `turn ${turn}`),
    )
    await answer(client, id, run, question.interventionId, { action })
  }
  const jobId = await startRun(client, pathway([{ id: 'revise', type: 'loop', until: 'last.done', max: 5, body }]))
  for (const [turn, action] of ['reject', 'reject', 'approve'].entries()) await decide(jobId, turn + 1, action)
  expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', result: { done: true, turns: 3 } })

  const plan = await client.post<ForkPlanView>(`/v1/jobs/${jobId}/fork`, {
    from_node: 'revise[2]/check',
    dry_run: true,
  })
  const keys = (nodes: { key: string }[]) => nodes.map(({ key }) => key)
  expect(keys(plan.body.reused)).toEqual(
    expect.arrayContaining(['revise[1]/draft', 'revise[1]/check', 'revise[2]/draft']),
  )
  expect(keys(plan.body.reused)).not.toContain('revise[3]/draft')
  const forked = await fork(jobId, { from_node: 'revise[2]/check' })
  for (const [turn, action] of ['reject', 'reject', 'approve'].entries()) await decide(forked, turn + 2, action)
  expect(await jobWith(client, forked)).toMatchObject({ status: 'completed', result: { done: true, turns: 4 } })
  // Three drafts from the run, and the third and fourth drafts from the fork.
  expect(requests('l-draft')).toHaveLength(5)
  expect(await replayRuns([forked])).toEqual([])
})

test('neither the requester nor the person who forks the run may decide in the fork', async () => {
  const { client } = context.workspace
  const definition = pathway(
    [
      post('draft', 'four-draft'),
      { id: 'review', type: 'human', kind: 'approval', exclude_requester: true },
      z('done'),
    ],
    'draft > review',
    'review.approve > z',
    'review.reject > z',
  )
  const jobId = await startRun(client, definition)
  const [question] = await asked(client, jobId)
  const bob = await context.workspace.as('user:bob')
  await answer(bob, context.workspace.id, jobId, question?.interventionId ?? '', { action: 'approve' })
  await jobWith(client, jobId, 'completed')
  const outputs = { draft: { status: 200 } }
  const forked = await fork(jobId, { from_node: 'review', outputs }, bob)
  const [again] = await waitUntil(async () => {
    const open = await asked(client, forked)
    return open.length > 0 && open
  })
  const decide = (who: ApiClient) =>
    answer(who, context.workspace.id, forked, again?.interventionId ?? '', { action: 'approve' })
  expect([(await decide(client)).status, (await decide(bob)).status]).toEqual([403, 403])
  expect((await decide(await context.workspace.as('user:eve'))).status).toBe(200)
  const people = ['user:ann', 'user:bob']
  expect(await jobWith(client, forked)).toMatchObject({ status: 'completed', requester: 'user:ann', people })
})

test('a fork that the API saved but did not start is started once when the request is repeated', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, pathway([post('one', 'k-one'), post('two', 'k-two')], 'one > two'))
  await jobWith(client, jobId, 'completed')
  const headers = { 'Idempotency-Key': `kill-${jobId}` }
  const send = () => client.post<ForkStarted>(`/v1/jobs/${jobId}/fork`, { from_node: 'two' }, { headers })
  const replies = await Promise.all([send(), send(), send()])
  const ids = new Set(replies.filter(({ status }) => status === 202).map(({ body }) => body.job_id))
  expect(ids.size).toBe(1)
  await jobWith(client, [...ids][0] ?? '', 'completed')
  expect([requests('k-one').length, requests('k-two').length]).toEqual([1, 2])
})
