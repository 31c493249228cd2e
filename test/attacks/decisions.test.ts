import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { BulkPreview } from '../../contract/runs/bulk.ts'
import type { MigrationReport } from '../../contract/runs/migration.ts'
import type { ForkStarted, ForkPlanView } from '../../contract/runs/fork.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import type { JobDetail } from '../../contract/runs/job.ts'
import type { ApiClient } from '../support/clients/client.ts'
import { callTool, connectMcp } from '../support/tools/mcp.ts'
import { waitUntil } from '../support/stack/process.ts'
import { replayRuns } from '../support/runs/replay.ts'
import { answer, asked, jobWith, pathway } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'
import { select } from '../../data/shared/statements.ts'
import { pick } from '../../data/shared/table.ts'
import { jobNodesTable } from '../../data/runs/tables.ts'

const context = useStack()

/** Pays the approved amount. Each test uses its own ledger path. */
const payment = (path: string, more: object = {}, nodes: object[] = [], ...lines: string[]) =>
  pathway(
    [
      { id: 'review', type: 'human', kind: 'approval', description: 'Pay ${input.amount}?', assignees: ['user:bob'] },
      {
        id: 'pay',
        type: 'http',
        with: { method: 'POST', url: `${context.ledger.url}/${path}`, json: { amount: '${input.amount}' } },
        ...more,
      },
      { id: 'no', type: 'end', output: 'refused' },
      ...nodes,
    ],
    'review.approve > pay',
    'review.reject > no',
    ...lines,
  )

const payments = (path: string): unknown[] =>
  context.ledger.effects.filter(effect => effect.path === `/${path}`).map(({ body }) => body)

let saved = 0
async function save(definition: object): Promise<string> {
  const slug = `payment-${++saved}`
  const { status, body } = await context.workspace.client.post<{ id: string }>('/v1/pathways', {
    title: slug,
    slug,
    definition,
  })
  expect(status).toBe(201)
  return body.id
}

async function start(pathwayId: string, input: object): Promise<string> {
  const { client } = context.workspace
  const { body } = await client.post<{ job_id: string }>(`/v1/pathways/${pathwayId}/execute`, { input })
  return body.job_id
}

async function decide(jobId: string, action = 'approve'): Promise<void> {
  const [question] = await asked(context.workspace.client, jobId)
  const bob = await context.workspace.as('user:bob')
  const { status } = await answer(bob, context.workspace.id, jobId, question?.interventionId ?? '', { action })
  expect(status).toBe(200)
}

/** Returns a run in which 10 was approved and paid. */
async function paid(path: string, more: object = {}): Promise<{ pathwayId: string; jobId: string }> {
  const pathwayId = await save(payment(path, more))
  const jobId = await start(pathwayId, { amount: 10 })
  await decide(jobId)
  await jobWith(context.workspace.client, jobId)
  expect(payments(path)).toEqual([{ amount: 10 }])
  return { pathwayId, jobId }
}

/** Expects that the run is waiting for Bob and has paid nothing, and that it pays nothing after he rejects it. */
async function expectAsked(jobId: string, path: string, known = [{ amount: 10 }]): Promise<void> {
  const { client } = context.workspace
  const questions = await asked(client, jobId)
  expect(questions.map(({ node_id }) => node_id)).toEqual(['review'])
  expect(payments(path)).toEqual(known)
  await decide(jobId, 'reject')
  expect(await jobWith(client, jobId)).toMatchObject({ result: 'refused' })
  expect(payments(path)).toEqual(known)
}

const fork = async (jobId: string, body: object, verb = 'fork', client: ApiClient = context.workspace.client) => {
  const started = await client.post<ForkStarted>(`/v1/jobs/${jobId}/${verb}`, body)
  expect([started.status, started.body]).toMatchObject([202, {}])
  return started.body.job_id
}

describe('an approval of 10 does not allow a payment of a million', () => {
  const MILLION = { amount: 1_000_000 }

  test('by a fork with another input, as its dry run shows', async () => {
    const { jobId } = await paid('d-input')
    const body = { from_node: 'pay', input: MILLION }
    const { client } = context.workspace
    const plan = await client.post<ForkPlanView>(`/v1/jobs/${jobId}/fork`, { ...body, dry_run: true })
    expect(plan.body).toMatchObject({
      counts: { asked_again: 1 },
      asked_again: [{ key: 'review', node_id: 'review', node_type: 'human', changed: ['input.amount'] }],
      runs: [{ key: 'review', reason: 'asked_again' }, { key: 'pay', reason: 'after' }, { key: 'no' }],
    })
    const forked = await fork(jobId, body)
    const [question] = await asked(client, forked)
    expect(question?.description).toBe('Pay 1000000?')
    await expectAsked(forked, 'd-input')
  })

  test('by the approver who forks it', async () => {
    const { jobId } = await paid('d-approver')
    const forked = await fork(
      jobId,
      { from_node: 'pay', input: MILLION },
      'fork',
      await context.workspace.as('user:bob'),
    )
    await expectAsked(forked, 'd-approver')
  })

  test('by a fork to another workflow version', async () => {
    const { pathwayId, jobId } = await paid('d-version')
    const other = payment('d-version', {
      with: { method: 'POST', url: `${context.ledger.url}/d-version`, json: { amount: 1_000_000 } },
    })
    await context.workspace.client.patch(`/v1/pathways/${pathwayId}`, { definition: other })
    await expectAsked(await fork(jobId, { from_node: 'pay', pathway_version: 2 }), 'd-version')
  })

  test('by a retry of a failed payment, alone or in bulk', async () => {
    const failing = { with: { method: 'POST', url: `${context.ledger.url}/d-retry?status=422`, json: {} } }
    const pathwayId = await save(payment('d-retry', failing))
    const jobId = await start(pathwayId, { amount: 10 })
    await decide(jobId)
    await jobWith(context.workspace.client, jobId, 'failed')
    const before = payments('d-retry') as { amount: number }[]
    const fixed = payment('d-retry')
    await context.workspace.client.patch(`/v1/pathways/${pathwayId}`, { definition: fixed })
    await expectAsked(await fork(jobId, { pathway_version: 2, input: MILLION }, 'retry'), 'd-retry', before)
    await expectAsked(await fork(jobId, { pathway_version: 2 }, 'retry'), 'd-retry', before)
  })

  test('by an output supplied for a later node', async () => {
    const { client } = context.workspace
    const quoted = pathway(
      [
        { id: 'review', type: 'human', kind: 'approval', assignees: ['user:bob'] },
        { id: 'quote', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/d-quote`, json: { n: 10 } } },
        {
          id: 'pay',
          type: 'http',
          with: {
            method: 'POST',
            url: `${context.ledger.url}/d-given`,
            json: { amount: '${nodes.quote.output.body.received.n}' },
          },
        },
        { id: 'no', type: 'end', output: 'refused' },
      ],
      'review.approve > quote',
      'quote > pay',
      'review.reject > no',
    )
    const jobId = await start(await save(quoted), {})
    await decide(jobId)
    await jobWith(client, jobId)
    const output = { status: 200, headers: {}, body: { received: { n: 1_000_000 } } }
    const forked = await fork(jobId, { from_node: 'pay', outputs: { quote: output } })
    await asked(client, forked)
    expect(payments('d-given')).toEqual([{ amount: 10 }])
    await decide(forked)
    const job = await jobWith(client, forked)
    expect(job.nodes.find(({ key }) => key === 'quote')).toMatchObject({ status: 'completed', is_given: true, output })
    expect(payments('d-given')).toEqual([{ amount: 10 }, { amount: 1_000_000 }])
    // Bob's approval also holds in a fork of the fork.
    const again = await fork(forked, { from_node: 'pay' })
    expect(await jobWith(client, again)).toMatchObject({ status: 'completed' })
  })

  test('by a decision supplied as an output', async () => {
    const { jobId } = await paid('d-output')
    const outputs = { review: { action: 'approve', by: 'user:bob' } }
    const { status, body } = await context.workspace.client.post<{ details: object[] }>(`/v1/jobs/${jobId}/fork`, {
      from_node: 'pay',
      input: MILLION,
      outputs,
    })
    expect([status, body.details]).toMatchObject([400, [{ pointer: '/outputs/review' }]])
  })

  test('by a fork if a child pathway requested the approval', async () => {
    const { client } = context.workspace
    const approval = pathway(
      [
        { id: 'review', type: 'human', kind: 'approval', assignees: ['user:bob'] },
        { id: 'yes', type: 'end', output: { approved: true } },
        { id: 'no', type: 'end', output: { approved: false } },
      ],
      'review.approve > yes',
      'review.reject > no',
    )
    await client.post('/v1/pathways', { title: 'Approval', slug: 'approval-only', definition: approval })
    const calling = pathway(
      [
        { id: 'ask', type: 'pathway', ref: 'approval-only', with: {} },
        {
          id: 'pay',
          type: 'http',
          with: { method: 'POST', url: `${context.ledger.url}/d-child`, json: { amount: '${input.amount}' } },
        },
      ],
      'ask > pay',
    )
    const jobId = await start(await save(calling), { amount: 10 })
    await decide(jobId)
    await jobWith(client, jobId)
    const plan = await client.post<ForkPlanView>(`/v1/jobs/${jobId}/fork`, {
      from_node: 'pay',
      input: MILLION,
      dry_run: true,
    })
    expect(plan.body.asked_again).toMatchObject([{ key: 'ask', changed: ['input.amount'] }])
    const forked = await fork(jobId, { from_node: 'pay', input: MILLION })
    expect(await asked(client, forked)).toMatchObject([{ node_id: 'review' }])
    expect(payments('d-child')).toEqual([{ amount: 10 }])
    await client.post(`/v1/jobs/${forked}/cancel`)
  })
})

describe('a migration after an approval', () => {
  /** Waits between the approval and the payment, so that the test can move the run. */
  const held = (path: string, amount: unknown, url = context.ledger.url, more: object[] = []) => {
    const definition = payment(path, { with: { method: 'POST', url: `${url}/${path}`, json: { amount } } }, [
      { id: 'hold', type: 'wait', event: 'go' },
      ...more,
    ])
    const edges = definition.edges.filter(({ to }) => to !== 'pay')
    return {
      ...definition,
      edges: [...edges, { from: 'review', on: 'approve', to: 'hold' }, { from: 'hold', to: 'pay' }],
    }
  }

  /** Returns a run that is waiting after Bob approved 10, and a version 2 that pays a million. */
  async function approvedRun(path: string, to: object = held(path, 1_000_000)) {
    const { client } = context.workspace
    const pathwayId = await save(held(path, '${input.amount}'))
    const jobId = await start(pathwayId, { amount: 10 })
    await decide(jobId)
    await waitUntil(async () =>
      (await readJob(jobId)).nodes.some(({ key, status }) => key === 'hold' && status === 'waiting'),
    )
    await jobWith(client, jobId, 'waiting')
    await client.patch(`/v1/pathways/${pathwayId}`, { definition: to })
    return { pathwayId, jobId }
  }

  const readJob = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body
  const migration = (pathway: string, jobId: string, more: object = {}) => ({
    pathway,
    from_version: 1,
    to_version: 2,
    filter: { job_ids: [jobId] },
    ...more,
  })
  const migrate = (body: object) =>
    context.workspace.client.post<MigrationReport & { details?: object[] }>('/v1/jobs/migrate', body)
  const ASKED = [{ key: 'review', node_id: 'review', node_type: 'human', changed: ['definition'] }]
  const goOn = (jobId: string) => context.workspace.client.post(`/v1/jobs/${jobId}/resume`, { event: 'go' })

  /** Expects that Bob gets a new intervention before any effect, and that his new decision counts. */
  async function expectAskedAgain(jobId: string, path: string) {
    const { client, id } = context.workspace
    const questions = await asked(client, jobId)
    expect(questions.map(({ node_id }) => node_id)).toEqual(['review'])
    expect((await goOn(jobId)).body).toMatchObject({ delivered_to: [] })
    expect(payments(path)).toEqual([])
    const { body } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
    expect(body.data.map(({ status }) => status).toSorted()).toEqual(['decided', 'open'])
    const before = body.data.find(({ status }) => status === 'decided')
    const bob = await context.workspace.as('user:bob')
    const late = await answer(bob, id, jobId, before?.interventionId ?? '', { action: 'reject' })
    expect(late.status).toBe(400)
    await decide(jobId)
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', pathway_version: 2 })
    return before?.interventionId ?? ''
  }

  test('that pays a million asks again, as its dry run shows, and the evidence contains both decisions', async () => {
    const { client } = context.workspace
    const { pathwayId, jobId } = await approvedRun('d-move')
    const dry = await migrate(migration(pathwayId, jobId, { dry_run: true }))
    expect(dry.body.runs).toMatchObject([{ outcome: 'can_move', asked_again: ASKED }])
    const moved = await migrate(migration(pathwayId, jobId))
    expect(moved.body.runs).toMatchObject([{ outcome: 'moved', asked_again: ASKED }])
    const first = await expectAskedAgain(jobId, 'd-move')
    expect(payments('d-move')).toEqual([{ amount: 1_000_000 }])
    // The worker may write what a node has sent shortly after the end of the run.
    await waitUntil(async () => (await readJob(jobId)).nodes.find(({ key }) => key === 'pay')?.sent !== undefined)
    const job = await readJob(jobId)
    expect(job.nodes.map(({ key, status }) => `${key} ${status}`)).toEqual(
      expect.arrayContaining(['review completed', 'hold completed', 'pay completed', 'no skipped']),
    )
    expect(job.people).toContain('user:ann')
    const { body } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
    expect(body.data.map(({ status }) => status)).toEqual(['decided', 'decided'])
    const evidence = await Promise.all(
      body.data.map(({ interventionId: id }) =>
        client.get<{ document: { uses: object[]; decision: object } }>(`/v1/interventions/${id}/evidence`),
      ),
    )
    const uses = Object.fromEntries(body.data.map(({ interventionId: id }, i) => [id, evidence[i]?.body.document.uses]))
    expect(uses[first]).toEqual([])
    const second = body.data.find(({ interventionId: id }) => id !== first)
    expect(uses[second?.interventionId ?? '']).toMatchObject([{ job_id: jobId, sent: [{ key: 'pay' }] }])
    const log = await client.get<{ data: { action: string; details: object }[] }>(`/v1/activity?target_id=${jobId}`)
    expect(log.body.data.find(({ action }) => action === 'job.migrate')?.details).toMatchObject({
      asked_again: ['review'],
    })
    expect(await replayRuns([jobId])).toEqual([])
    const again = await fork(jobId, { from_node: 'pay' })
    expect(await jobWith(client, again)).toMatchObject({ forked_from: { decisions: { kept: ['review'] } } })
  })

  test('that pays elsewhere asks again, even through MCP', async () => {
    const { client } = context.workspace
    const { pathwayId, jobId } = await approvedRun(
      'd-mcp',
      held('d-mcp', '${input.amount}', `${context.ledger.url}/other`),
    )
    const token = await context.workspace.newKey({
      actor: 'user:ann',
      permissions: ['jobs:control', 'jobs:read'],
    })
    const mcp = await connectMcp({ baseUrl: context.stack.baseUrl, token })
    const preview = await callTool(mcp, 'preview_migration', migration(pathwayId, jobId))
    expect(preview).toMatchObject({ runs: [{ outcome: 'can_move', asked_again: ASKED }] })
    expect(await callTool(mcp, 'migrate_runs', migration(pathwayId, jobId))).toMatchObject({ counts: { moved: 1 } })
    await mcp.close()
    const questions = await asked(client, jobId)
    expect(questions).toMatchObject([{ node_id: 'review' }])
    await decide(jobId, 'reject')
    expect(await jobWith(client, jobId)).toMatchObject({ result: 'refused' })
    expect(payments('d-mcp')).toEqual([])
    expect(payments('other/d-mcp')).toEqual([])
  })

  test('asks again in a bulk job, as its dry run shows', async () => {
    const { client } = context.workspace
    const { pathwayId, jobId } = await approvedRun('d-bulk')
    const body = { operation: 'migrate', filter: { pathway_id: pathwayId }, options: { to_version: 2 } }
    const preview = await client.post<BulkPreview>('/v1/jobs/bulk', { ...body, dry_run: true })
    expect(preview.body).toMatchObject({ applies: 1, sample: [{ job_id: jobId, asked_again: ASKED }] })
    const bulk = await client.post<{ job_id: string }>('/v1/jobs/bulk', body)
    expect(await jobWith(client, bulk.body.job_id)).toMatchObject({ bulk: { done: 1 } })
    await expectAskedAgain(jobId, 'd-bulk')
    expect(payments('d-bulk')).toEqual([{ amount: 1_000_000 }])
  })

  test('is rejected once an effect after the approval has started, and a fork asks again', async () => {
    const { client } = context.workspace
    const early = (amount: unknown) => {
      const { edges, ...definition } = held('d-begun', amount, undefined, [
        { id: 'note', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/d-note`, json: {} } },
      ])
      const others = edges.filter(({ to }) => to !== 'hold')
      return {
        ...definition,
        edges: [...others, { from: 'review', on: 'approve', to: 'note' }, { from: 'note', to: 'hold' }],
      }
    }
    const pathwayId = await save(early('${input.amount}'))
    const jobId = await start(pathwayId, { amount: 10 })
    await decide(jobId)
    await waitUntil(async () =>
      (await readJob(jobId)).nodes.some(({ key, status }) => key === 'hold' && status === 'waiting'),
    )
    await client.patch(`/v1/pathways/${pathwayId}`, { definition: early(1_000_000) })
    const { status, body } = await migrate(migration(pathwayId, jobId))
    expect([status, body.details]).toMatchObject([
      409,
      [
        {
          pointer: '',
          node_key: 'review',
          message: expect.stringContaining('the run has started note: fork the run at review'),
        },
      ],
    ])
    await expectAsked(await fork(jobId, { from_node: 'review', pathway_version: 2 }), 'd-begun', [])
    await client.post(`/v1/jobs/${jobId}/cancel`)
  })

  test('asks again if the answer arrived while the run was paused', async () => {
    const { client } = context.workspace
    const pathwayId = await save(held('d-paused', '${input.amount}'))
    const jobId = await start(pathwayId, { amount: 10 })
    const [question] = await asked(client, jobId)
    await client.post(`/v1/jobs/${jobId}/pause`, {})
    await jobWith(client, jobId, 'paused')
    const bob = await context.workspace.as('user:bob')
    const said = await answer(bob, context.workspace.id, jobId, question?.interventionId ?? '', { action: 'approve' })
    expect(said.status).toBe(200)
    await client.patch(`/v1/pathways/${pathwayId}`, { definition: held('d-paused', 1_000_000) })
    expect((await migrate(migration(pathwayId, jobId))).body.runs).toMatchObject([
      { outcome: 'moved', asked_again: ASKED },
    ])
    await client.post(`/v1/jobs/${jobId}/resume`, {})
    const questions = await asked(client, jobId)
    expect(questions).toMatchObject([{ node_id: 'review' }])
    await decide(jobId, 'reject')
    expect(await jobWith(client, jobId)).toMatchObject({ result: 'refused' })
    expect(payments('d-paused')).toEqual([])
  })

  test('is atomic with a concurrent answer', async () => {
    const { client, id } = context.workspace
    const bob = await context.workspace.as('user:bob')
    const pathwayId = await save(held('d-race', '${input.amount}'))
    await client.patch(`/v1/pathways/${pathwayId}`, { definition: held('d-race', 1_000_000) })
    for (let i = 0; i < 4; i++) {
      const { body } = await client.post<{ job_id: string }>('/v1/jobs', {
        pathway_id: `${pathwayId}@1`,
        input: { amount: 10 },
      })
      const jobId = body.job_id
      const [question] = await asked(client, jobId)
      const known = payments('d-race').length
      const [said, moved] = await Promise.all([
        answer(bob, id, jobId, question?.interventionId ?? '', { action: 'approve' }),
        migrate(migration(pathwayId, jobId)),
      ])
      expect(said.status).toBe(200)
      const isMoved = moved.status === 200 && moved.body.runs[0]?.outcome === 'moved'
      const isAsked = isMoved && (moved.body.runs[0]?.asked_again ?? []).length > 0
      if (isAsked) await decide(jobId)
      await waitUntil(async () =>
        (await readJob(jobId)).nodes.some(({ key, status }) => key === 'hold' && status === 'waiting'),
      )
      const run = await readJob(jobId)
      await goOn(jobId)
      await jobWith(client, jobId)
      expect(payments('d-race').slice(known)).toEqual([{ amount: run.pathway_version === 2 ? 1_000_000 : 10 }])
      const { body: listed } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
      expect(listed.data.map(({ status }) => status)).toEqual(isAsked ? ['decided', 'decided'] : ['decided'])
    }
  })
})

test('an approval remains valid in an unchanged fork, which lists the repeated effects', async () => {
  const { jobId } = await paid('d-same')
  const job = await jobWith(context.workspace.client, await fork(jobId, { from_node: 'pay' }))
  expect(job).toMatchObject({
    status: 'completed',
    forked_from: {
      by: 'user:ann',
      decisions: { kept: ['review'], repeated: [{ key: 'pay', decided_at: ['review'] }] },
    },
  })
  expect(payments('d-same')).toEqual([{ amount: 10 }, { amount: 10 }])
})

test('a node record contains the hash of the bytes that the other service received, without secrets', async () => {
  const { jobId } = await paid('d-sent')
  const readSent = async () =>
    (await jobWith(context.workspace.client, jobId)).nodes.find(({ key }) => key === 'pay')?.sent
  // The worker may write the hash shortly after the run ends.
  await waitUntil(async () => (await readSent()) !== undefined)
  const sent = await readSent()
  const request = context.ledger.requests.find(({ path }) => path === '/d-sent')
  if (!request || !sent) throw new Error('nothing was sent')
  const { host: _host, connection: _connection, 'content-length': length, ...headers } = request.headers
  const body = createHash('sha256').update(request.body).digest('hex')
  const content = { method: 'POST', url: `${context.ledger.url}/d-sent`, headers, body }
  expect(sent).toMatchObject({
    method: 'POST',
    origin: context.ledger.url,
    bytes: Number(length),
    sha256: createHash('sha256')
      .update(canonicalize(content) ?? '')
      .digest('hex'),
  })
})

test('a decision records the nodes that it covers', async () => {
  const { jobId } = await paid('d-covers')
  const { client } = context.workspace
  const { body } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
  const rows = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    select(tx, pick(jobNodesTable, 'covers'), `select covers from job_nodes where job_id = $1 and key = 'review'`, [
      jobId,
    ]),
  )
  expect(rows[0]?.covers).toEqual({
    values: { 'input.amount': expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    definition: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
  expect(body.data[0]?.decision?.by).toBe('user:bob')
})
