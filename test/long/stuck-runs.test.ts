import { randomUUID } from 'node:crypto'
import { readConfig } from '../../config/config.ts'
import { insertJob } from '../../data/runs/jobs-store.ts'
import type { JobDetail, JobProblem } from '../../contract/runs/job.ts'
import { openTemporal, type Temporal } from '../../services/shared/temporal.ts'
import { buildRunAttributes } from '../../workflows/shared/run/attributes.ts'
import { PATHWAY_WORKFLOW } from '../../workflows/pathways/messages.ts'
import { withEndlessLoop, withoutTimers } from '../support/stack/bundles.ts'
import { createClient } from '../support/clients/client.ts'
import { followEvents } from '../support/webhooks/events.ts'
import { startProcess, waitUntil } from '../support/stack/process.ts'
import { answer, readEvents, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import type { TestWorkspace } from '../support/stack/stack.ts'
import { useOwnStack } from '../support/stack/use-stack.ts'
import { nextFree } from '../../dev/machine/ports.ts'

const context = useOwnStack()
let temporal: Temporal
beforeAll(() => (temporal = openTemporal(readConfig(context.stack.env))))
afterAll(() => temporal?.close())

const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body
const withProblem = (jobId: string) =>
  waitUntil(
    async () => (await read(jobId)).problem,
    undefined,
    () => 'the job shows no problem',
  )

interface Health {
  status: string
  stuck_runs?: number
  components: Record<string, string>
}

/** Starts a run with a definition that the engine cannot compile, bypassing the checks of the API. */
async function startBroken(
  { id: workspace_id, slug: workspace }: TestWorkspace,
  options: { workflowExecutionTimeout?: '2s' } = {},
): Promise<string> {
  const job_id = `broken-${randomUUID()}`
  const job = { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [] }
  const pinned = { id: null, slug: 'broken', version: null, title: 'Broken' }
  const definition = { schema: 'pathway/1', nodes: [{ id: 'a', type: 'unheard-of' }], edges: [] }
  const row = {
    job_id,
    root_job_id: job_id,
    brain_id: null,
    parent_key: null,
    title: 'Broken',
    requester: 'user:ann',
    rights: [],
  }
  await context.stack.database.db.inWorkspace(workspace_id, tx =>
    insertJob(tx, { ...row, people: ['user:ann'], pathway_id: null, pathway_version: null, input: null }),
  )
  await temporal.client.workflow.start(PATHWAY_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: job_id,
    args: [{ job, pathway: pinned, definition, subflows: {}, input: null, requester: 'user:ann' }],
    typedSearchAttributes: buildRunAttributes({ workspace, kind: 'pathway', title: 'Broken', requester: 'user:ann' }),
    ...options,
  })
  return job_id
}

const pendingTask = async (jobId: string) => (await temporal.handle(jobId).describe()).raw.pendingWorkflowTask

describe('a run whose workflow task keeps failing', () => {
  let jobId: string
  let begun: number
  beforeAll(async () => {
    begun = Date.now() - 1_000
    jobId = await startBroken(context.workspace)
  })

  test('shows the cause and when it started, also in its status', async () => {
    const problem = await withProblem(jobId)
    expect(problem).toEqual({
      cause: 'WORKFLOW_WORKER_UNHANDLED_FAILURE',
      message: 'no node type unheard-of',
      since: expect.any(String),
    })
    expect(Date.parse(problem.since)).toBeGreaterThan(begun)
    const { body } = await context.workspace.client.get<{ status: string; problem: JobProblem }>(
      `/v1/jobs/${jobId}/status`,
    )
    expect(body).toMatchObject({ status: 'running', problem })
  })

  test('is counted in the health check only for its own workspace, and new runs are still accepted', async () => {
    const away = await context.stack.workspace()
    const health = await waitUntil(
      async () => {
        const found = await context.workspace.client.get<Health>('/v1/health')
        return found.body.stuck_runs === 1 && found
      },
      undefined,
      () => 'health counts no stuck run',
    )
    expect(health).toMatchObject({ status: 200, body: { components: { worker: 'ok' } } })
    expect((await away.client.get<Health>('/v1/health')).body.stuck_runs).toBe(0)
    const anonymous = await fetch(`${context.stack.baseUrl}/v1/health`)
    expect(await anonymous.json()).not.toHaveProperty('stuck_runs')
  })

  test('is logged by the worker', () => {
    const lines = context.stack.worker.output().split('\n')
    expect(lines.filter(line => line.includes(jobId) && line.includes('no node type unheard-of'))).not.toEqual([])
  })

  test('can be cancelled: it is terminated, and reports that nothing was compensated', async () => {
    const { status, body } = await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    expect([status, body]).toMatchObject([200, { status: 'failed' }])
    const job = await jobWith(context.workspace.client, jobId)
    expect(job).toMatchObject({
      status: 'failed',
      failedReason: 'cancelled by user:ann: the run could not stop cleanly, and nothing was compensated',
    })
    expect(job).not.toHaveProperty('problem')
    expect((await temporal.handle(jobId).describe()).status.name).toBe('TERMINATED')
  })
})

test("a run that is incompatible with a new worker's code reports this, and continues with compatible code", async () => {
  const jobId = await startRun(
    context.workspace.client,
    pathway(
      [
        { id: 'w', type: 'wait', duration: 'PT6S' },
        { id: 'z', type: 'end', output: 7 },
      ],
      'w > z',
    ),
  )
  await waitUntil(async () => (await read(jobId)).nodes.some(({ status }) => status === 'waiting'))
  await context.stack.worker.end()
  await withoutTimers(async bundle => {
    context.stack.env.WORKFLOW_BUNDLE = bundle
    await context.stack.restartWorker().finally(() => delete context.stack.env.WORKFLOW_BUNDLE)
  })
  const problem = await withProblem(jobId)
  const { body: diagnosis } = await context.workspace.client.get(`/v1/jobs/${jobId}/diagnosis`)
  expect(diagnosis).toMatchObject({ cause: 'code_mismatch', evidence: { cause: 'NON_DETERMINISTIC_ERROR' } })
  const lines = context.stack.worker.output().split('\n')
  await context.stack.worker.end()
  await context.stack.restartWorker()
  expect(problem).toMatchObject({
    cause: 'NON_DETERMINISTIC_ERROR',
    message: expect.stringContaining('Nondeterminism'),
  })
  expect(lines.filter(line => line.includes(jobId) && line.includes('Nondeterminism'))).not.toEqual([])
  await waitUntil(
    async () => (await read(jobId)).status === 'completed',
    undefined,
    () => 'the run does not go on',
  )
  expect(await read(jobId)).toMatchObject({ result: 7 })
  expect(await read(jobId)).not.toHaveProperty('problem')
})

test('a run that repeatedly blocks the workflow thread is terminated, and other runs continue', async () => {
  await context.stack.worker.end()
  await withEndlessLoop(async bundle => {
    context.stack.env.WORKFLOW_BUNDLE = bundle
    await context.stack.restartWorker()
    const jobId = await startBroken(context.workspace)
    // No request reads the run before its end, so the worker records the end without one.
    const reader = await followEvents(context.workspace.client, { types: 'job.failed' })
    // Temporal then reports only that the first attempt timed out, and records no later attempt.
    await waitUntil(async () => (await pendingTask(jobId))?.startedTime)
    await context.stack.worker.end('SIGKILL')
    await waitUntil(async () => ((await pendingTask(jobId))?.attempt ?? 1) > 1)
    await context.stack.restartWorker().finally(() => delete context.stack.env.WORKFLOW_BUNDLE)
    const other = await startRun(context.workspace.client, pathway([{ id: 'z', type: 'end', output: 7 }]))
    expect(await jobWith(context.workspace.client, other)).toMatchObject({ status: 'completed', result: 7 })
    await reader.until(({ job }) => job?.id === jobId)
    reader.close()
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({
      status: 'failed',
      failedReason:
        'its workflow task exceeded the time limit repeatedly: the run could not stop cleanly, and nothing was compensated',
    })
    await context.stack.worker.end()
  })
  await context.stack.restartWorker()
})

describe('a run that was terminated in Temporal', () => {
  test('lists its open steps and closes them', async () => {
    const child = pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'y', type: 'end' },
      ],
      'ask.approve > y',
      'ask.reject > y',
    )
    await context.workspace.client.post('/v1/pathways', { title: 'Asks', slug: 'asks', definition: child })
    const call = { type: 'http', with: { method: 'POST', url: `${context.ledger.url}/t?hang=true`, json: {} } }
    const definition = pathway(
      [
        { id: 'done', type: 'transform', with: { value: 1 } },
        { id: 'pay', ...call },
        { id: 'each', type: 'map', items: [1, 2], body: { nodes: [{ id: 'price', ...call }], edges: [] } },
        { id: 'inner', type: 'pathway', ref: 'asks', with: {} },
        { id: 'review', type: 'human', kind: 'approval' },
        { id: 'later', type: 'wait', duration: 'P1D' },
        { id: 'never', type: 'end' },
      ],
      'done > pay',
      'done > each',
      'done > inner',
      'done > review',
      'done > later',
      'review.approve > never',
      'review.reject > never',
    )
    const jobId = await startRun(context.workspace.client, definition)
    await waitUntil(() => context.ledger.requests.filter(({ path }) => path === '/t').length === 3)
    const open = await waitUntil(async () => {
      const { waitingFor } = await read(jobId)
      return waitingFor?.length === 2 && waitingFor
    })
    const inner = open.find(({ job_id }) => job_id)?.job_id ?? ''
    const stream = readEvents(context.workspace.client, jobId)
    await context.stack.worker.end('SIGKILL')
    const cancelled = await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    expect([cancelled.status, cancelled.body]).toMatchObject([202, { status: 'running', receipt: [] }])
    expect(await read(jobId)).toMatchObject({ cancel_requested_by: 'user:ann' })
    await temporal.handle(jobId).terminate()

    const failedReason =
      'terminated in Temporal by an operator: the run could not stop cleanly, and nothing was compensated'
    const job = await jobWith(context.workspace.client, jobId)
    expect(job).toMatchObject({ status: 'failed', failedReason })
    expect(job.receipt?.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { node_id: 'price', key: 'each[0]/price', outcome: 'in_doubt' },
      { node_id: 'price', key: 'each[1]/price', outcome: 'in_doubt' },
      { node_id: 'inner', key: 'inner', outcome: 'in_doubt' },
      { node_id: 'later', key: 'later', outcome: 'stopped' },
      { node_id: 'pay', key: 'pay', outcome: 'in_doubt' },
      { node_id: 'review', key: 'review', outcome: 'stopped' },
    ])
    const open_nodes = job.nodes.filter(({ status }) => status === 'running' || status === 'waiting')
    expect(open_nodes).toEqual([])
    expect(job.nodes.find(({ key }) => key === 'pay')).toMatchObject({
      status: 'cancelled',
      finished_at: job.finished_at,
    })
    const inbox = await context.workspace.client.get<{ data: { job_id: string; status: string }[] }>(
      `/v1/interventions?job_id=${jobId}`,
    )
    expect(inbox.body.data.find(({ job_id }) => job_id === jobId)).toMatchObject({ status: 'cancelled' })
    expect((await stream).at(-1)?.data).toEqual({ type: 'error', code: 'TERMINATED', message: failedReason })

    // The child run is asked to stop, and stops cleanly once a worker is available.
    await context.stack.restartWorker()
    expect(await jobWith(context.workspace.client, inner)).toMatchObject({ failedReason: 'cancelled by user:ann' })
    const review = open.find(({ node_id }) => node_id === 'review')?.interventionId ?? ''
    const late = await answer(context.workspace.client, context.workspace.id, jobId, review, { action: 'approve' })
    expect(late.status).toBe(400)
  })

  test('is listed as failed rather than open', async () => {
    const definition = pathway([{ id: 'later', type: 'wait', duration: 'P1D' }])
    const { client } = context.workspace
    const jobId = await startRun(client, definition)
    const listed = async (status: string) => {
      const { body } = await client.get<{ jobs: { job_id: string }[] }>(`/v1/jobs?status=${status}`)
      return body.jobs.filter(({ job_id }) => job_id === jobId)
    }
    await waitUntil(async () => (await listed('waiting')).length === 1)
    await temporal.handle(jobId).terminate()
    await waitUntil(async () => (await listed('waiting')).length === 0)
    expect(await listed('failed')).toMatchObject([{ failedReason: expect.stringContaining('terminated in Temporal') }])
  })

  test('or that timed out there reports this', async () => {
    const jobId = await startBroken(context.workspace, { workflowExecutionTimeout: '2s' })
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({
      failedReason: 'timed out in Temporal: the run could not stop cleanly, and nothing was compensated',
    })
    const events = await readEvents(context.workspace.client, jobId)
    expect(events.at(-1)?.data).toMatchObject({ type: 'error', code: 'TIMEOUT' })
  })
})

test('the health check reports a missing worker, and runs are still accepted', async () => {
  const port = await nextFree()
  const env = {
    ...context.stack.env,
    TEMPORAL_TASK_QUEUE: `test-without-worker-${randomUUID()}`,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
  }
  const api = await startProcess('api/main.ts', env, output => output.includes('API is listening'))
  try {
    const client = createClient(env.BASE_URL, context.workspace.api_key)
    const health = await client.get<Health>('/v1/health')
    expect(health).toMatchObject({
      status: 200,
      body: { status: 'degraded', components: { worker: 'down' }, stuck_runs: 0 },
    })
    const jobId = await startRun(client, pathway([{ id: 'z', type: 'end' }]))
    expect((await client.get<JobDetail>(`/v1/jobs/${jobId}`)).body.status).toBe('pending')
    await temporal.handle(jobId).terminate()
  } finally {
    await api.end()
  }
})
