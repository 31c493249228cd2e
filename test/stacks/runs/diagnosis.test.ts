import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../config/config.ts'
import { insertJob } from '../../../data/runs/jobs-store.ts'
import { RIGHTS } from '../../../domain/access/rights.ts'
import type { Cause } from '../../../domain/runs/diagnosis/diagnosis.ts'
import { createDiagnosis } from '../../../services/runs/diagnosis/diagnosis.ts'
import type { DiagnosisCounts, DiagnosisView } from '../../../contract/runs/diagnosis.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { buildRunAttributes } from '../../../workflows/shared/run/attributes.ts'
import { PATHWAY_WORKFLOW } from '../../../workflows/pathways/messages.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { startLedger } from '../../support/shared/ledger.ts'
import { readCurrentDetails } from '../../support/runs/operator-view.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { startStack } from '../../support/stack/stack.ts'
import { openContext } from '../../support/stack/use-stack.ts'

/** In this stack, Elasticsearch is unavailable, and each workspace has few slots. */
const context = openContext(() =>
  startStack({ env: { ELASTICSEARCH_URL: 'http://127.0.0.1:9', WORKER_ACTIVITIES: '12' } }),
)

const SLOW = { retry: { initial: 'PT1H', max: 'PT1H' } }
const call = (query: string, more: object = {}) => ({
  id: 'fetch',
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/d?${query}`, json: {} },
  ...more,
})
const ask = {
  id: 'review',
  type: 'human',
  kind: 'approval',
  title: 'Pay Toro?',
  assignees: ['group:finance', 'user:bob'],
  due: 'P1D',
}
const z = { id: 'z', type: 'end' }
const approval = () => pathway([ask, z], 'review.approve > z', 'review.reject > z', 'review.timeout > z')
const later = () => pathway([{ id: 'later', type: 'wait', duration: 'PT2H' }])
const paid = { id: 'paid', type: 'wait', event: 'payment', timeout: 'PT3H' }

const read = async (jobId: string, client: ApiClient = context.workspace.client) =>
  (await client.get<DiagnosisView>(`/v1/jobs/${jobId}/diagnosis`)).body

async function diagnosisOf(jobId: string, cause: Cause, client?: ApiClient): Promise<DiagnosisView> {
  let last: DiagnosisView | undefined
  return waitUntil(
    async () => {
      last = await read(jobId, client)
      return last.cause === cause && last
    },
    undefined,
    () => `the cause is not ${cause}: ${JSON.stringify(last)}`,
  )
}

/** Starts a run with a definition that the engine cannot compile, bypassing the checks of the API. */
async function startDirectly(definition: object, taskQueue?: string): Promise<string> {
  const { id: workspace_id, slug: workspace } = context.workspace
  const job_id = `direct-${randomUUID()}`
  const job = { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [...RIGHTS] }
  const [title, requester] = ['Direct', 'user:ann']
  const row = {
    job_id,
    root_job_id: job_id,
    brain_id: null,
    parent_key: null,
    title,
    requester,
    rights: [],
    input: null,
  }
  await context.stack.database.db.inWorkspace(workspace_id, tx =>
    insertJob(tx, { ...row, people: ['user:ann'], pathway_id: null, pathway_version: null }),
  )
  await temporal.client.workflow.start(PATHWAY_WORKFLOW, {
    taskQueue: taskQueue ?? temporal.taskQueue,
    workflowId: job_id,
    args: [
      { job, pathway: { id: null, slug: 'x', version: null, title }, definition, subflows: {}, input: null, requester },
    ],
    typedSearchAttributes: buildRunAttributes({ workspace, kind: 'pathway', title, requester }),
  })
  return job_id
}

/** Diagnoses with the service of a process that has other settings. */
async function diagnoseWith(
  env: Record<string, string>,
  jobId: string,
  nearlyFull?: { max_events: number; max_bytes: number },
) {
  const { database } = context.stack
  const other = openTemporal(readConfig({ ...context.stack.env, ...env }))
  clients.push(other)
  const { diagnosis } = createDiagnosis({ db: database.db, temporal: other, nearlyFull })
  const principal = { workspace_id: context.workspace.id, brain_ids: null }
  return diagnosis(principal as Parameters<typeof diagnosis>[0], jobId)
}

let temporal: Temporal
/** Closed at the end of the tests, because a call that has ended for its caller may still be retried. */
const clients: Temporal[] = []
const runs: Record<string, string> = {}

beforeAll(async () => {
  temporal = openTemporal(readConfig(context.stack.env))
  const { client } = context.workspace
  const inner = pathway([call('status=500', SLOW)])
  await client.post('/v1/pathways', { title: 'Inner', slug: 'inner', definition: inner })
  const definitions: Record<string, object> = {
    approval: approval(),
    later: later(),
    event: pathway([paid, z], 'paid > z'),
    paused: later(),
    failing: pathway([call('status=500', SLOW)]),
    limited: pathway([call('status=429', SLOW)]),
    parent: pathway([{ id: 'sub', type: 'pathway', ref: 'inner', with: {} }]),
    search: pathway([{ id: 'find', type: 'search', with: { query: 'x' }, ...SLOW }]),
    hangs: pathway([call('hang=true', { id: 'hangs' })]),
    completed: pathway([z]),
    failed: pathway([call('status=422')]),
  }
  for (const [name, definition] of Object.entries(definitions)) runs[name] = await startRun(client, definition)
  runs.broken = await startDirectly({ schema: 'pathway/1', nodes: [{ id: 'a', type: 'unheard-of' }], edges: [] })
  await jobWith(client, runs.paused ?? '', 'waiting')
  await client.post(`/v1/jobs/${runs.paused}/pause`)
})
afterAll(async () => void (await Promise.all([temporal, ...clients].map(client => client?.close()))))

const CASES: [string, Cause, object][] = [
  [
    'approval',
    'waits_for_people',
    {
      message: expect.stringMatching(/^Waiting for group:finance, user:bob at review: Pay Toro\? \(due /),
      evidence: { node_id: 'review', assignees: ['group:finance', 'user:bob'], is_overdue: false },
    },
  ],
  ['later', 'waits_for_time', { evidence: { node_key: 'later', until: expect.any(String) } }],
  ['event', 'waits_for_event', { evidence: { node_key: 'paid', event: 'payment', deadline: expect.any(String) } }],
  ['paused', 'paused', { evidence: { by: 'user:ann', at: expect.any(String) } }],
  [
    'failing',
    'retrying',
    {
      evidence: {
        node_key: 'fetch',
        attempt: 1,
        last_error: { code: 'HTTP_500' },
        next_attempt_at: expect.any(String),
      },
    },
  ],
  ['limited', 'rate_limited', { evidence: { limit: 'rate', last_error: { code: 'HTTP_429' } } }],
  ['parent', 'child_stuck', { evidence: { child: { cause: 'retrying', evidence: { node_key: 'fetch' } } } }],
  ['search', 'component_away', { evidence: { component: 'elasticsearch', node_key: 'find' } }],
  ['hangs', 'running', { message: 'Running hangs' }],
  ['completed', 'done', { message: 'Completed' }],
  ['failed', 'done', { evidence: { code: 'HTTP_422', node_key: 'fetch' } }],
  ['broken', 'workflow_task_failing', { evidence: { message: 'no node type unheard-of' } }],
]

test.each(CASES)('the run %s has the cause %s', async (name, cause, more) => {
  const found = await diagnosisOf(runs[name] ?? '', cause)
  expect(found).toMatchObject({ job_id: runs[name], since: expect.any(String), missing: [], ...more })
  expect(found.link).toContain(runs[name])
})

test.each(['approval', 'later', 'event', 'paused', 'hangs'])(
  'the details for the run %s in the Temporal UI contain the same sentence',
  async name => {
    const { message } = await read(runs[name] ?? '')
    const details = await readCurrentDetails(runs[name] ?? '')
    expect(details.replaceAll(/[*`]/g, '')).toContain(message.replaceAll(/[*`]/g, ''))
  },
)

test('runs are counted by cause, using the same filters as the list', async () => {
  const { body } = await context.workspace.client.get<DiagnosisCounts>('/v1/jobs/diagnosis?child_runs=false')
  expect(body).toMatchObject({
    total: 12,
    not_examined: 0,
    by_cause: { done: 2, waits_for_time: 1, waits_for_people: 1, paused: 1, retrying: 1, child_stuck: 1, unknown: 0 },
  })
  const waiting = await context.workspace.client.get<DiagnosisCounts>('/v1/jobs/diagnosis?status=paused')
  expect(waiting.body).toMatchObject({ total: 1, by_cause: { paused: 1, waits_for_time: 0 } })
})

test('a run in another workspace is not found', async () => {
  const other = await context.stack.workspace()
  expect((await other.client.get(`/v1/jobs/${runs.approval}/diagnosis`)).status).toBe(404)
})

test('a run that exceeds the slots of its workspace has the cause workspace_busy', async () => {
  const { client } = await context.stack.workspace({ actor: 'user:ann' })
  const ledger = await startLedger()
  const hang = pathway([{ ...call(''), with: { method: 'POST', url: `${ledger.url}/busy?hang=true`, json: {} } }])
  const started = await Promise.all(Array.from({ length: 8 }, () => startRun(client, hang)))
  const found = await waitUntil(async () => {
    const all = await Promise.all(started.map(jobId => read(jobId, client)))
    return all.find(({ cause }) => cause === 'workspace_busy')
  })
  expect(found).toMatchObject({ evidence: { limit: 'slots' } })
  await Promise.all(started.map(jobId => client.post(`/v1/jobs/${jobId}/cancel`)))
  await ledger.close()
})

test('a run without a worker, a run with a long history and a run without Temporal each have their own cause', async () => {
  const TEMPORAL_TASK_QUEUE = `without-worker-${randomUUID()}`
  const queued = await startDirectly({ schema: 'pathway/1', nodes: [z], edges: [] }, TEMPORAL_TASK_QUEUE)
  expect(await diagnoseWith({ TEMPORAL_TASK_QUEUE }, queued)).toMatchObject({
    cause: 'no_worker',
    evidence: { last_poll: null },
  })
  await temporal.handle(queued).terminate()
  const limits = { max_events: 5, max_bytes: 1e6 }
  expect(await diagnoseWith({}, runs.later ?? '', limits)).toMatchObject({ cause: 'history_full' })
  expect(await diagnoseWith({ TEMPORAL_ADDRESS: '127.0.0.1:9' }, runs.later ?? '')).toMatchObject({
    cause: 'component_away',
    evidence: { component: 'temporal' },
  })
})

test('an accepted run that Temporal has not received yet has its own cause', async () => {
  const job_id = `accepted-${randomUUID()}`
  const row = { job_id, root_job_id: job_id, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null }
  await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    insertJob(tx, { ...row, title: 'Accepted', requester: 'user:ann', people: ['user:ann'], rights: [], input: null }),
  )
  expect(await read(job_id)).toMatchObject({ cause: 'not_started', evidence: { status: 'pending' }, missing: [] })
})

test('an unresponsive Temporal is reported before a call to it times out', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const TEMPORAL_ADDRESS = `127.0.0.1:${port}`
  const caller = openTemporal(readConfig({ ...context.stack.env, TEMPORAL_ADDRESS }))
  clients.push(caller)
  const call = caller.call(() => caller.handle(runs.later ?? '').describe()).catch(() => 'gave up')
  const found = await Promise.race([diagnoseWith({ TEMPORAL_ADDRESS }, runs.later ?? ''), call])
  expect(found).toMatchObject({ cause: 'component_away', evidence: { component: 'temporal' } })
  expect(await call).toBe('gave up')
  silent.close()
})

test('a run whose worker was killed has its own cause', async () => {
  await context.stack.worker.end('SIGKILL')
  const lost = await diagnosisOf(runs.hangs ?? '', 'heartbeat_lost')
  expect(lost).toMatchObject({ evidence: { node_key: 'hangs', last_error: { code: 'WORKER_LOST' } } })
})

test('an answer sent while there is no worker is pending, then decides, and every read reflects it', async () => {
  await context.stack.restartWorker()
  const { client, id } = context.workspace
  const jobId = await startRun(
    client,
    pathway([{ id: 'review', type: 'human', kind: 'approval' }, z], 'review.approve > z', 'review.reject > z'),
  )
  await jobWith(client, jobId, 'waiting')
  const [question] = (await client.get<JobDetail>(`/v1/jobs/${jobId}`)).body.waitingFor ?? []
  const say = (action: string) => answer(client, id, jobId, question?.interventionId ?? '', { action })
  await context.stack.worker.end('SIGKILL')
  const pending = { action: 'approve', by: 'user:ann', at: expect.any(String) }
  const [first, second] = await Promise.all([say('approve'), sleep(3_000).then(() => say('reject'))])
  expect(first).toMatchObject({ status: 202, body: { ...pending, decided: false, pending: true } })
  expect(second).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: expect.stringContaining('pending') } })
  expect(await say('approve')).toMatchObject({ status: 202, body: { ...pending, pending: true } })
  expect((await client.get<JobDetail>(`/v1/jobs/${jobId}`)).body.waitingFor).toMatchObject([
    { pending_answers: [pending] },
  ])
  await context.stack.restartWorker()
  await waitUntil(async () => (await say('approve')).status === 200)
  const { waitingFor } = (await client.get<JobDetail>(`/v1/jobs/${jobId}`)).body
  expect(waitingFor).toBeUndefined()
  expect(await say('approve')).toMatchObject({ status: 200, body: { decided: true } })
  expect((await say('reject')).status).toBe(400)
})
