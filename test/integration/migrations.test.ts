import { randomUUID } from 'node:crypto'
import type { JobDetail } from '../../services/jobs/types.ts'
import type { MigrationReport } from '../../services/jobs/migrations/types.ts'
import type { ApiClient } from '../support/client.ts'
import { waitUntil } from '../support/process.ts'
import { replayRuns } from '../support/replay.ts'
import { answer, asked, jobWith, pathway, readEvents } from '../support/runs.ts'
import { useStack } from '../support/use-stack.ts'

const context = useStack()

type Refusal = { code: string; message: string; details?: { pointer: string; message: string }[] }

const post = (path: string) => ({
  id: path.replace(/-.*/, ''),
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${path}`, json: { run: '${run.id}' } },
})
const countRequests = (path: string, jobId: string) =>
  context.ledger.requests.filter(request => request.path === `/${path}` && request.body.includes(jobId)).length

/** A call, a decision, and another call. */
const order = (pay: string, title = 'Pay?') =>
  pathway(
    [
      post('price-m'),
      { id: 'review', type: 'human', kind: 'approval', title },
      post(pay),
      { id: 'z', type: 'end', output: '${nodes.pay.output.body.path}' },
      { id: 'no', type: 'end', output: 'refused' },
    ],
    'price > review',
    'review.approve > pay',
    'review.reject > no',
    'pay > z',
  )

/** A pathway of which version 2 pays elsewhere and version 3 asks otherwise. */
async function createPathway(slug: string): Promise<string> {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: slug, slug, definition: order('pay-1') })
  for (const definition of [order('pay-2'), order('pay-3', 'Pay it now?')])
    await client.patch(`/v1/pathways/${body.id}`, { definition })
  return body.id
}

/** A run of version 1 that waits for the decision. */
async function startWaiting(pathwayId: string): Promise<string> {
  const { client } = context.workspace
  const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${pathwayId}@1` })
  await asked(client, body.job_id)
  return body.job_id
}

const migrate = (body: object, client: ApiClient = context.workspace.client) =>
  client.post<MigrationReport & Refusal>('/v1/jobs/migrate', { from_version: 1, to_version: 2, filter: {}, ...body })

const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body

async function decide(jobId: string): Promise<void> {
  const [question] = await asked(context.workspace.client, jobId)
  const { client, id } = context.workspace
  const said = await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
  expect(said.status).toBe(200)
}

const outcomes = ({ body }: { body: MigrationReport }) =>
  Object.fromEntries(body.runs.map(({ job_id, outcome, problems }) => [job_id, problems ?? outcome]))

test('waiting and paused runs move, go on as runs of the new version, and what was done stays', async () => {
  const { client } = context.workspace
  const pathwayId = await createPathway('moved')
  const [waiting, paused, ended] = await Promise.all([1, 2, 3].map(() => startWaiting(pathwayId)))
  await client.post(`/v1/jobs/${paused}/pause`, {})
  await client.post(`/v1/jobs/${ended}/cancel`, {})
  const [question] = await asked(client, waiting ?? '')

  const dry = await migrate({ pathway: 'moved', dry_run: true })
  expect(dry.body).toMatchObject({ matched: 2, counts: { can_move: 2, moved: 0 }, needs_confirm: true })
  const unconfirmed = await migrate({ pathway: 'moved' })
  expect([unconfirmed.status, unconfirmed.body.details]).toMatchObject([400, [{ pointer: '/confirm' }]])
  const first = await migrate({ pathway: 'moved', confirm: true, limit: 1 })
  expect(first.body).toMatchObject({ counts: { moved: 1 }, next: first.body.runs[0]?.job_id })
  const rest = await migrate({ pathway: 'moved', confirm: true, after: first.body.next })
  expect({ ...outcomes(first), ...outcomes(rest) }).toEqual({ [waiting ?? '']: 'moved', [paused ?? '']: 'moved' })
  const again = await migrate({ pathway: 'moved', confirm: true })
  expect(again.body).toMatchObject({ matched: 0, runs: [] })

  await client.post(`/v1/jobs/${paused}/resume`, {})
  for (const jobId of [waiting ?? '', paused ?? '']) {
    expect(await read(jobId)).toMatchObject({ status: 'waiting', pathway_version: 2 })
    await decide(jobId)
    const job = await jobWith(client, jobId)
    expect(job).toMatchObject({ status: 'completed', pathway_version: 2, result: '/pay-2' })
    expect(job.migrations).toMatchObject([{ from_version: 1, to_version: 2, by: 'user:ann' }])
    expect(['price-m', 'pay-1', 'pay-2'].map(path => countRequests(path, jobId))).toEqual([1, 0, 1])
    const moves = (await readEvents(client, jobId)).filter(({ data }) => data.type === 'migrated')
    expect(moves).toMatchObject([{ data: { from_version: 1, to_version: 2, by: 'user:ann' } }])
    expect(await listAudit(jobId)).toContain('job.migrate')
  }
  const nodes = (await read(waiting ?? '')).nodes.map(({ key, status }) => `${key} ${status}`)
  expect(nodes).toContain('review completed')
  expect(question?.title).toBe('Pay?')
  expect(await replayRuns([waiting ?? '', paused ?? ''])).toEqual([])
  const fork = await client.post<{ job_id: string }>(`/v1/jobs/${waiting}/fork`, { from_node: 'pay' })
  expect(await jobWith(client, fork.body.job_id)).toMatchObject({ pathway_version: 2, result: '/pay-2' })
})

test('a run that cannot move stays as it is, and each is told why with pointers', async () => {
  const pathwayId = await createPathway('stays')
  const jobId = await startWaiting(pathwayId)
  const dry = await migrate({ pathway: pathwayId, to_version: 3, dry_run: true })
  const why = {
    pointer: '/definition/nodes/1/title',
    message: 'must stay as it is in the version of the run: it is asked now',
    node_key: 'review',
  }
  expect(outcomes(dry)).toEqual({ [jobId]: [why] })
  const refused = await migrate({ pathway: pathwayId, to_version: 3, filter: { job_ids: [jobId] } })
  expect([refused.status, refused.body.details]).toMatchObject([409, [{ pointer: why.pointer }]])
  expect(await read(jobId)).toMatchObject({ pathway_version: 1, status: 'waiting' })
  expect(await read(jobId)).not.toHaveProperty('migrations')
})

test('a run that moved on since the dry run is not moved', async () => {
  const { client } = context.workspace
  const pathwayId = await createPathway('passed')
  const jobId = await startWaiting(pathwayId)
  const [run] = (await migrate({ pathway: pathwayId, dry_run: true })).body.runs
  const revisions = { [jobId]: (run?.revision ?? 0) - 1 }
  const stale = await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] }, revisions })
  expect([stale.status, stale.body.details]).toMatchObject([409, [{ message: 'the run has moved on since then' }]])
  await decide(jobId)
  await jobWith(client, jobId)
  const ended = await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] } })
  expect([ended.status, ended.body.details]).toMatchObject([409, [{ message: 'the run has ended' }]])
  expect((await read(jobId)).result).toBe('/pay-1')
})

test('a move is undone until the next step, and may be made again', async () => {
  const { client } = context.workspace
  const pathwayId = await createPathway('back')
  const jobId = await startWaiting(pathwayId)
  const undo = (body = {}) => client.post<{ to_version: number } & Refusal>(`/v1/jobs/${jobId}/migration/undo`, body)
  expect((await undo()).status).toBe(409)
  const filter = { job_ids: [jobId] }
  expect(outcomes(await migrate({ pathway: pathwayId, filter }))).toEqual({ [jobId]: 'moved' })
  expect(await undo()).toMatchObject({ status: 200, body: { from_version: 2, to_version: 1 } })
  expect(await read(jobId)).toMatchObject({ pathway_version: 1, migrations: [{ undone_by: 'user:ann' }] })
  const both = await Promise.all([1, 2].map(() => migrate({ pathway: pathwayId, filter })))
  expect(both.map(({ status }) => status)).toContain(200)
  const { migrations = [] } = await read(jobId)
  expect(migrations).toHaveLength(2)
  expect(await undo({ migration_id: migrations[0]?.id })).toMatchObject({
    status: 409,
    body: { message: `The run has moved again: from version 1 to 2, by user:ann at ${migrations[1]?.at}` },
  })
  const unknown = await undo({ migration_id: randomUUID() })
  expect([unknown.status, unknown.body.details]).toMatchObject([400, [{ pointer: '/migration_id' }]])
  expect((await read(jobId)).pathway_version).toBe(2)
  await decide(jobId)
  const late = await undo()
  expect([400, 409]).toContain(late.status)
  expect(await jobWith(client, jobId)).toMatchObject({ pathway_version: 2, result: '/pay-2' })
  expect((await listAudit(jobId)).filter(action => action.startsWith('job.') && action !== 'job.start')).toEqual([
    'job.migrate',
    'job.undo_migration',
    'job.migrate',
  ])
})

test('a run whose requester may not decide is moved and moved back by the requester only', async () => {
  const { client } = context.workspace
  const guarded = (isExcluded: boolean, output: string) =>
    pathway(
      [
        { id: 'hold', type: 'wait', event: 'go', timeout: 'PT1H' },
        { id: 'review', type: 'human', kind: 'approval', title: 'Pay?', exclude_requester: isExcluded },
        { id: 'z', type: 'end', output },
      ],
      'hold > review',
      'review.approve > z',
      'review.reject > z',
    )
  const create = async (...definitions: object[]) => {
    const [definition, ...later] = definitions
    const { status, body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Guarded', definition })
    expect([status, body]).toMatchObject([201, {}])
    for (const changed of later) await client.patch(`/v1/pathways/${body.id}`, { definition: changed })
    return body.id
  }
  const bob = await context.workspace.as('user:bob')
  const why = 'the pathway has a decision that its requester may not take: only user:ann may move the run'
  // A guard that the new version lacks, one that only the new version has, and one in a pathway that starts this one.
  const open = guarded(false, 'a')
  const child = await create(open, guarded(false, 'b'))
  const parent = pathway(
    [
      { id: 'sub', type: 'pathway', ref: `${child}@1` },
      { id: 'review', type: 'human', kind: 'approval', exclude_requester: true },
      { id: 'z', type: 'end' },
    ],
    'sub > review',
    'review.approve > z',
    'review.reject > z',
  )
  const parentRun = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: await create(parent) })
  await jobWith(client, parentRun.body.job_id, 'waiting')
  const children = await waitUntil(async () => {
    const { body } = await client.get<{ jobs: { job_id: string }[] }>(`/v1/jobs?pathway_id=${child}&child_runs=true`)
    return body.jobs.length > 0 && body.jobs
  })
  const move = (pathwayId: string, jobId: string, body: object, by: ApiClient) =>
    migrate({ pathway: pathwayId, filter: { job_ids: [jobId], child_runs: true }, ...body }, by)
  await jobWith(client, children[0]?.job_id ?? '', 'waiting')
  expect(await move(child, children[0]?.job_id ?? '', {}, bob)).toMatchObject({
    status: 409,
    body: { details: [{ message: why }] },
  })
  await client.post(`/v1/jobs/${parentRun.body.job_id}/cancel`)

  for (const definitions of [
    [guarded(true, 'a'), open],
    [open, guarded(true, 'b')],
  ]) {
    const pathwayId = await create(...definitions)
    const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${pathwayId}@1` })
    const jobId = body.job_id
    await jobWith(client, jobId, 'waiting')
    expect(outcomes(await move(pathwayId, jobId, { dry_run: true }, bob))).toEqual({
      [jobId]: [{ pointer: '', message: why }],
    })
    expect(await move(pathwayId, jobId, {}, bob)).toMatchObject({ status: 409, body: { details: [{ message: why }] } })
    expect(outcomes(await move(pathwayId, jobId, {}, client))).toEqual({ [jobId]: 'moved' })
    expect(await bob.post(`/v1/jobs/${jobId}/migration/undo`, {})).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(why) },
    })
    expect((await client.post(`/v1/jobs/${jobId}/migration/undo`, {})).status).toBe(200)
    await client.post(`/v1/jobs/${jobId}/cancel`)
  }
})

test('bad requests are refused with pointers, and strangers find nothing', async () => {
  const pathwayId = await createPathway('refused')
  const jobId = await startWaiting(pathwayId)
  const details = async (body: object) => {
    const { status, body: refusal } = await migrate({ pathway: pathwayId, ...body })
    return [status, refusal.details?.map(({ pointer }) => pointer)]
  }
  expect(await details({ to_version: 1 })).toEqual([400, ['/to_version']])
  expect(await details({ to_version: 9 })).toEqual([400, ['/to_version']])
  expect(await details({ from_version: 9 })).toEqual([400, ['/from_version']])
  expect((await migrate({ pathway: 'nothing-like-it' })).status).toBe(404)
  expect((await migrate({ pathway: pathwayId, filter: { job_ids: ['unknown'] } })).status).toBe(404)
  const stranger = await context.stack.workspace({ actor: 'user:ann' })
  const theirs = await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] } }, stranger.client)
  expect(theirs.status).toBe(404)
  expect((await stranger.client.post(`/v1/jobs/${jobId}/migration/undo`, {})).status).toBe(404)
  expect(await read(jobId)).toMatchObject({ pathway_version: 1 })
})

async function listAudit(jobId: string): Promise<string[]> {
  const { body } = await context.workspace.client.get<{ data: { action: string }[] }>(
    `/v1/activity?limit=200&target_id=${encodeURIComponent(jobId)}`,
  )
  return body.data.map(({ action }) => action)
}
