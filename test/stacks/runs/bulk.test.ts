import { Client, Connection } from '@temporalio/client'
import type { BulkPreview } from '../../../contract/runs/bulk.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { askThenEnd, jobWith, pathway, readEvents, startRun } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'
import type { ActivityEntry } from '../../../contract/audit/activity.ts'

const context = useOwnStack()

const waiting = (title: string) => ({ ...askThenEnd(), run_title: title })
const calling = (title: string, path: string) => ({
  ...pathway([
    {
      id: 'call',
      type: 'http',
      with: { method: 'POST', url: `${context.ledger.url}/${path}`, json: {} },
      retry: { max_attempts: 1 },
    },
  ]),
  run_title: title,
})

async function startMany(count: number, definition: object, client: ApiClient = context.workspace.client) {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await startRun(client, definition))
  return ids
}

const all = (ids: string[], ...statuses: Parameters<typeof jobWith>[2][]) =>
  Promise.all(ids.map(id => jobWith(context.workspace.client, id, ...statuses)))

type Started = { job_id: string; code: string; message: string; details?: { pointer: string }[] }

const ask = (body: object, client: ApiClient = context.workspace.client) => client.post<Started>('/v1/jobs/bulk', body)

async function start(body: object, client?: ApiClient): Promise<string> {
  const { status, body: started } = await ask(body, client)
  expect([status, started]).toMatchObject([202, { status: 'pending' }])
  return started.job_id
}

async function preview(body: object, client: ApiClient = context.workspace.client): Promise<BulkPreview> {
  const { status, body: shown } = await client.post<BulkPreview>('/v1/jobs/bulk', { ...body, dry_run: true })
  expect([status, shown]).toMatchObject([200, { dry_run: true }])
  return shown
}

const finish = (jobId: string): Promise<JobDetail> => jobWith(context.workspace.client, jobId)
const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body
const entries = async (action: string, target: string) =>
  (await context.workspace.client.get<{ data: ActivityEntry[] }>(`/v1/activity?action=${action}&target_id=${target}`))
    .body.data

/** Reads the workspace search attribute, which operators use to find a run in the Temporal UI. */
async function readWorkspaceAttribute(jobId: string): Promise<unknown> {
  const { env } = context.stack
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] })
  try {
    const temporal = new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] })
    return (await temporal.workflow.getHandle(jobId).describe()).searchAttributes['GanglionWorkspace']
  } finally {
    await connection.close()
  }
}

test('a dry run lists outcomes and obstacles, and pause and resume apply them, with progress and an entry for each run', async () => {
  const ids = await startMany(3, waiting('Round A'))
  await all(ids, 'waiting')
  await all(await startMany(1, calling('Round A', 'a-ok')), 'completed')
  const filter = { title: 'Round A' }

  const shown = await preview({ operation: 'pause', filter })
  expect(shown).toMatchObject({ matched: 4, applies: 3, reasons: [{ message: 'The run has ended', count: 1 }] })
  expect(shown.sample.map(({ applies }) => applies)).toEqual([true, true, true, false])
  expect(await all(ids, 'waiting')).toHaveLength(3)

  const later = await startMany(1, waiting('Round A'))
  await all(later, 'waiting')
  const pinned = { ...filter, created_before: shown.created_before }
  const job = await start({ operation: 'pause', filter: pinned, reason: 'maintenance', per_second: 50 })
  const counts = { matched: 4, done: 3, skipped: 1, failed: 0 }
  expect(await finish(job)).toMatchObject({
    kind: 'bulk',
    title: 'Bulk pause: maintenance',
    status: 'completed',
    progress: { done: 4, total: 4 },
    result: { operation: 'pause', ...counts },
    bulk: { ...counts, problems: [{ outcome: 'skipped', message: 'The run has ended' }] },
    input: { operation: 'pause', filter: { title: 'Round A' }, reason: 'maintenance' },
  })
  await all(ids, 'paused')
  expect((await read(later[0] ?? '')).status).toBe('waiting')
  expect((await readEvents(context.workspace.client, job)).map(({ data }) => data)).toContainEqual({
    type: 'progress',
    done: 4,
    total: 4,
  })
  for (const id of ids)
    expect(await entries('job.pause', id)).toMatchObject([
      { actor: 'user:ann', details: { bulk_job_id: job, reason: 'maintenance' } },
    ])
  expect(await replayRuns([job])).toEqual([])

  const resumed = await start({ operation: 'resume', filter: { ...filter, status: ['paused'] }, per_second: 50 })
  expect(await finish(resumed)).toMatchObject({ bulk: { matched: 3, done: 3 } })
  await all(ids, 'waiting')
})

describe('invalid input', () => {
  test('a filter that matches every run requires confirm, and nothing happens without it', async () => {
    const workspace = await context.stack.workspace({ actor: 'user:ann' })
    const [id = ''] = await startMany(1, waiting('Alone'), workspace.client)
    await jobWith(workspace.client, id, 'waiting')
    for (const filter of [
      {},
      { status: ['waiting', 'running', 'pending', 'paused'] },
      { created_after: '2020-01-01T00:00:00Z' },
    ]) {
      const refused = await ask({ operation: 'cancel', filter }, workspace.client)
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'VALIDATION_ERROR', details: [{ pointer: '/confirm' }] },
      ])
      expect(await preview({ operation: 'cancel', filter }, workspace.client)).toMatchObject({
        matched: 1,
        needs_confirm: true,
      })
    }
    const { body } = await workspace.client.get<{ jobs: JobDetail[] }>('/v1/jobs')
    expect(body.jobs).toMatchObject([{ job_id: id, status: 'waiting' }])
    const job = await start({ operation: 'cancel', filter: {}, confirm: true }, workspace.client)
    expect(await jobWith(workspace.client, job)).toMatchObject({ bulk: { matched: 1, done: 1 } })
    await jobWith(workspace.client, id, 'failed')
  })

  test.each([
    ['an unknown operation', { operation: 'delete', filter: { title: 'x' } }],
    ['no filter', { operation: 'cancel' }],
    ['an unknown field of the filter', { operation: 'cancel', filter: { color: 'x' } }],
    ['an unknown status', { operation: 'cancel', filter: { status: ['gone'] } }],
    ['a rate of 0', { operation: 'cancel', filter: { title: 'x' }, per_second: 0 }],
    ['unknown options', { operation: 'cancel', filter: { title: 'x' }, options: { to: 2 } }],
  ])('%s is rejected', async (_, body) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('the required permission is that of the operation, and runs in other brains and workspaces are not affected', async () => {
    const { workspace } = context
    const [id = ''] = await startMany(1, waiting('Guarded'))
    await all([id], 'waiting')
    const filter = { title: 'Guarded' }
    const operator = await workspace.permittedTo('jobs:read', 'jobs:control')
    expect(await ask({ operation: 'retry', filter }, operator)).toMatchObject({ status: 403 })
    const starter = await workspace.permittedTo('jobs:read', 'jobs:start')
    expect(await ask({ operation: 'cancel', filter }, starter)).toMatchObject({ status: 403 })
    const elsewhere = await workspace.boundTo(await workspace.newBrain())
    expect(await preview({ operation: 'cancel', filter }, elsewhere)).toMatchObject({ matched: 0 })
    const stranger = await context.stack.workspace({ actor: 'user:ann' })
    expect(await preview({ operation: 'cancel', filter }, stranger.client)).toMatchObject({ matched: 0 })
    const job = await start({ operation: 'cancel', filter }, elsewhere)
    expect(await jobWith(elsewhere, job)).toMatchObject({ status: 'completed', bulk: { matched: 0 } })
    expect((await read(id)).status).toBe('waiting')
  })
})

test('failed runs are retried once, even by two concurrent bulk jobs', async () => {
  const failing = await startMany(3, calling('Broken', 'b-broken?status=422'))
  await all(failing, 'failed')
  const body = { operation: 'retry', filter: { title: 'Broken' }, per_second: 50, reason: 'fixed' }
  expect(await preview(body)).toMatchObject({ matched: 3, applies: 3 })
  const jobs = await Promise.all([start(body), start(body)])
  const reports = await Promise.all(jobs.map(finish))
  const done = reports.map(({ bulk }) => bulk?.done ?? 0)
  expect(done.reduce((sum, one) => sum + one, 0)).toBe(3)
  for (const id of failing) {
    const { forks } = await read(id)
    expect(forks).toMatchObject([{ kind: 'retry', reason: 'fixed', by: 'user:ann' }])
    const [entry] = await entries('job.fork', id)
    expect(jobs).toContain(entry?.details['bulk_job_id'])
    expect(await readWorkspaceAttribute(forks?.[0]?.job_id ?? '')).toEqual([context.workspace.slug])
  }
})

test('a stop ends a bulk job between two runs, and the remaining runs stay unchanged', async () => {
  const ids = await startMany(4, waiting('Slowly'))
  await all(ids, 'waiting')
  const job = await start({ operation: 'cancel', filter: { title: 'Slowly' }, per_second: 1 })
  await waitUntil(async () => ((await read(job)).bulk?.done ?? 0) > 0)
  const stopped = await context.workspace.client.post<{ status: string }>(`/v1/jobs/${job}/cancel`)
  expect(stopped).toMatchObject({ status: 200, body: { status: 'failed' } })
  const { bulk, progress, error } = await read(job)
  const done = bulk?.done ?? 0
  expect(error).toMatchObject({ code: 'CANCELLED' })
  expect(done).toBeLessThan(4)
  expect([bulk, progress]).toMatchObject([
    { matched: 4, skipped: 0, failed: 0 },
    { done, total: 4 },
  ])
  await all(ids.slice(0, done), 'failed')
  await all(ids.slice(done), 'waiting')
  expect(await replayRuns([job])).toEqual([])
})

test('when a worker is killed, no operation is lost or repeated', async () => {
  const ids = await startMany(12, waiting('Through a crash'))
  await all(ids, 'waiting')
  const job = await start({ operation: 'cancel', filter: { title: 'Through a crash' }, per_second: 10 })
  await waitUntil(async () => ((await read(job)).bulk?.done ?? 0) > 1)
  await context.stack.killWorker()
  expect(await finish(job)).toMatchObject({
    status: 'completed',
    bulk: { matched: 12, done: 12, skipped: 0, failed: 0 },
  })
  await all(ids, 'failed')
  for (const id of ids) expect(await entries('job.cancel', id)).toHaveLength(1)
})

test('runs move to another version, and runs that cannot move report the reason', async () => {
  const { client } = context.workspace
  const define = (output: string, title: string) => askThenEnd(output, { title })
  const created = await client.post<{ id: string }>('/v1/pathways', {
    title: 'Round M',
    definition: define('one', 'Go?'),
  })
  const { id } = created.body
  const execute = async () => (await client.post<{ job_id: string }>(`/v1/pathways/${id}/execute`, {})).body.job_id
  const ids = [await execute(), await execute()]
  await all(ids, 'waiting')
  for (const definition of [define('two', 'Go?'), define('three', 'Really?')])
    expect((await client.patch(`/v1/pathways/${id}`, { definition })).status).toBe(200)
  const filter = { pathway_id: id, status: ['waiting'] }
  const refused = await ask({ operation: 'migrate', filter, options: { to_version: 'two' } })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer: '/options/to_version' }] } })
  const inline = await startRun(client, { ...define('none', 'Go?'), run_title: 'Inline M' })
  await all([inline], 'waiting')
  const round = { title: 'Inline M', status: ['waiting'] }
  expect(await preview({ operation: 'migrate', filter: round, options: { to_version: 9 } })).toMatchObject({
    matched: 1,
    applies: 0,
    reasons: [{ message: 'The run has no version: its definition was sent inline', count: 1 }],
  })
  const { sample: unknown } = await preview({ operation: 'migrate', filter, options: { to_version: 9 } })
  expect(unknown[0]?.message).toContain('/to_version must be a version of the pathway')
  const { sample } = await preview({ operation: 'migrate', filter, options: { to_version: 3 } })
  expect(sample).toMatchObject([
    { applies: false, message: expect.stringContaining('must be the same as in the version that the run uses') },
    { applies: false },
  ])
  const request = { operation: 'migrate', filter, per_second: 50, reason: 'A wrong price' }
  const job = await finish(await start({ ...request, options: { to_version: 2 } }))
  expect(job).toMatchObject({ status: 'completed', result: { matched: 2, done: 2, skipped: 0, failed: 0 } })
  for (const moved of ids) expect(await read(moved)).toMatchObject({ pathway_version: 2, status: 'waiting' })
  const [entry] = await entries('job.migrate', ids[0] ?? '')
  expect(entry).toMatchObject({ details: { bulk_job_id: job.job_id, reason: 'A wrong price', to_version: 2 } })
  const stuck = await finish(await start({ ...request, options: { to_version: 3 } }))
  expect(stuck).toMatchObject({ status: 'completed', result: { matched: 2, done: 0, failed: 2 } })
  expect(stuck.bulk?.problems[0]?.message).toContain('must be the same as in the version that the run uses')
  await client.post(`/v1/jobs/${inline}/cancel`)
  for (const moved of ids) await client.post(`/v1/jobs/${moved}/cancel`)
})
