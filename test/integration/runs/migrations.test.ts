import { randomUUID } from 'node:crypto'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { MigrationReport } from '../../../contract/runs/migration.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, asked, jobWith, pathway, readEvents } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

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

/** Creates a pathway where version 2 pays elsewhere and version 3 asks a different question. */
async function createPathway(slug: string): Promise<string> {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: slug, slug, definition: order('pay-1') })
  for (const definition of [order('pay-2'), order('pay-3', 'Pay it now?')])
    await client.patch(`/v1/pathways/${body.id}`, { definition })
  return body.id
}

/** Starts a run of version 1 that is waiting for the decision. */
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

test('waiting and paused runs move, continue with the new version, and keep their completed steps', async () => {
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

test('a run that cannot move stays unchanged, and the response gives the reasons with pointers', async () => {
  const pathwayId = await createPathway('stays')
  const jobId = await startWaiting(pathwayId)
  const dry = await migrate({ pathway: pathwayId, to_version: 3, dry_run: true })
  const why = {
    pointer: '/definition/nodes/1/title',
    message: 'must be the same as in the version that the run uses, because the node has an open task',
    node_key: 'review',
  }
  expect(outcomes(dry)).toEqual({ [jobId]: [why] })
  const refused = await migrate({ pathway: pathwayId, to_version: 3, filter: { job_ids: [jobId] } })
  expect([refused.status, refused.body.details]).toMatchObject([409, [{ pointer: why.pointer }]])
  expect(await read(jobId)).toMatchObject({ pathway_version: 1, status: 'waiting' })
  expect(await read(jobId)).not.toHaveProperty('migrations')
})

test('a run that continued after the dry run is not moved', async () => {
  const { client } = context.workspace
  const pathwayId = await createPathway('passed')
  const jobId = await startWaiting(pathwayId)
  const [run] = (await migrate({ pathway: pathwayId, dry_run: true })).body.runs
  const revisions = { [jobId]: (run?.revision ?? 0) - 1 }
  const stale = await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] }, revisions })
  expect([stale.status, stale.body.details]).toMatchObject([
    409,
    [{ message: 'the run has progressed since the preview' }],
  ])
  await decide(jobId)
  await jobWith(client, jobId)
  const ended = await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] } })
  expect([ended.status, ended.body.details]).toMatchObject([409, [{ message: 'the run has ended' }]])
  expect((await read(jobId)).result).toBe('/pay-1')
})

test('a move can be undone until the next step, and can then be made again', async () => {
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
    body: { message: `The run has been migrated again: from version 1 to 2, by user:ann at ${migrations[1]?.at}` },
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

describe('a person who moves a run may not decide in it if the run excludes people involved in it', () => {
  const review = { id: 'review', type: 'human', kind: 'approval', title: 'Pay?', exclude_requester: true }
  const guarded = (nodes: { id: string; [field: string]: unknown }[], output: string, more: object = {}) =>
    pathway(
      [...nodes, { ...review, ...more }, { id: 'z', type: 'end', output }],
      ...nodes.map(({ id }) => `${id} > review`),
      'review.approve > z',
      'review.reject > z',
    )
  const create = async (...[definition, later]: object[]) => {
    const { client } = context.workspace
    const { status, body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Guarded', definition })
    expect([status, body]).toMatchObject([201, {}])
    if (later) await client.patch(`/v1/pathways/${body.id}`, { definition: later })
    return body.id
  }
  const start = async (pathwayId: string) => {
    const { body } = await context.workspace.client.post<{ job_id: string }>('/v1/jobs', { pathway_id: pathwayId })
    await jobWith(context.workspace.client, body.job_id, 'waiting')
    return body.job_id
  }
  const approve = async (by: ApiClient, jobId: string) => {
    const { interventionId } = await waitUntil(async () => (await asked(context.workspace.client, jobId))[0])
    return answer(by, context.workspace.id, jobId, interventionId, { action: 'approve' })
  }

  test('even when the run is a child of the run with the decision', async () => {
    const { client } = context.workspace
    const [bob, eve] = await Promise.all([context.workspace.as('user:bob'), context.workspace.as('user:eve')])
    const hold = { id: 'hold', type: 'wait', event: 'go', timeout: 'PT1H' }
    const waits = (output: string) => pathway([hold, { id: 'z', type: 'end', output }], 'hold > z')
    const child = await create(waits('a'), waits('b'))
    const parent = await start(await create(guarded([{ id: 'sub', type: 'pathway', ref: `${child}@1` }], 'paid')))
    const childRun = await waitUntil(async () => {
      const { body } = await client.get<{ jobs: { job_id: string }[] }>(`/v1/jobs?pathway_id=${child}&child_runs=true`)
      return body.jobs[0]?.job_id
    })
    const moved = await migrate({ pathway: child, filter: { job_ids: [childRun], child_runs: true } }, bob)
    expect(outcomes(moved)).toEqual({ [childRun ?? '']: 'moved' })
    await client.post(`/v1/jobs/${childRun}/resume`, { event: 'go' })
    expect(await approve(bob, parent)).toMatchObject({
      status: 403,
      body: { message: 'user:bob is one of the people behind this run and may not decide here' },
    })
    expect((await approve(eve, parent)).status).toBe(200)
    expect(await jobWith(client, parent)).toMatchObject({ people: ['user:ann', 'user:bob'], result: 'paid' })
  })

  test('an earlier approval no longer counts, and a claim is released', async () => {
    const { client } = context.workspace
    const [bob, eve, cy, dee] = await Promise.all(
      ['user:bob', 'user:eve', 'user:cy', 'user:dee'].map(name => context.workspace.as(name)),
    )
    if (!bob || !eve || !cy || !dee) throw new Error('no clients')
    const definition = guarded([], 'a', { quorum: 2 })
    const pathwayId = await create(definition, { ...definition, run_title: 'Moved' })
    const jobId = await start(`${pathwayId}@1`)
    const [question] = await asked(client, jobId)
    const task = `/v1/interventions/${question?.interventionId}`
    const read = async () => (await client.get<InterventionView>(task)).body
    expect((await approve(bob, jobId)).body).toMatchObject({ decided: false, approvals: 1 })
    expect((await eve.post(`${task}/claim`)).status).toBe(200)
    expect(outcomes(await migrate({ pathway: pathwayId, filter: { job_ids: [jobId] } }, bob))).toEqual({
      [jobId]: 'moved',
    })
    await waitUntil(async () => (await read()).approvals === 0)
    expect(await read()).toMatchObject({
      claimed_by: 'user:eve',
      history: [{ change: 'claimed' }, { change: 'excluded' }],
    })
    expect((await eve.post(`/v1/jobs/${jobId}/migration/undo`, {})).status).toBe(200)
    await waitUntil(async () => (await read()).claimed_by === undefined)
    expect((await approve(eve, jobId)).status).toBe(403)
    expect((await approve(cy, jobId)).body).toMatchObject({ decided: false, approvals: 1 })
    expect((await approve(dee, jobId)).body).toMatchObject({ decided: true, approvals: 2 })
    expect(await jobWith(client, jobId)).toMatchObject({ people: ['user:ann', 'user:bob', 'user:eve'], result: 'a' })
  })
})

test('invalid requests are rejected with pointers, and callers from other workspaces find nothing', async () => {
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
