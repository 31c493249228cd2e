import { pino } from 'pino'
import { createProjectionWriter } from '../../../activities/runs/projection-writer.ts'
import { createRecordActivities } from '../../../activities/runs/record.ts'
import type { FinishInput, PathwayProjections, RecordInput } from '../../../activities/types.ts'
import { saveMember } from '../../../data/access/members-store.ts'
import { openDatabase } from '../../../data/shared/database.ts'
import { setCancelledBy } from '../../../data/runs/job-endings-store.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { Intervention } from '../../../domain/people/intervention.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections, type Projections } from '../../../services/runs/projections.ts'
import { createJobPublisher } from '../../../streams/job-publisher.ts'
import { streamKey } from '../../../streams/stream-entries.ts'
import { closeRedis, openCommands } from '../../../streams/redis.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { startRedisServer } from '../../support/stack/redis-server.ts'
import { type Harness, startHarness } from '../shared/harness.ts'

const AT = '2100-03-01T10:00:00.000Z'
let harness: Harness
let activities: PathwayProjections

beforeAll(async () => {
  harness = await startHarness()
  activities = createRecordActivities({ ...harness, evaluator })
  const { workspace_id } = await harness.job()
  await harness.db.inWorkspace(workspace_id, tx => saveMember(tx, { actor: 'user:ann', groups: [], role: 'builder' }))
})
afterAll(() => harness.close())

const node = (key: string) => ({
  key,
  node_id: key,
  node_type: 'transform',
  status: 'completed' as const,
  at: AT,
  port: 'default',
})
const record = (job: JobRef, more: Partial<RecordInput> = {}): RecordInput => ({
  job,
  nodes: [],
  interventions: [],
  ...more,
})
const end = (job: JobRef, more: Partial<FinishInput> = {}): FinishInput => ({
  ...record(job),
  at: AT,
  outcome: 'completed',
  ...more,
})

const buildIntervention: Intervention = {
  id: 'i-1',
  node_key: 'review',
  node_id: 'review',
  kind: 'approval',
  title: 'Pay?',
  assignees: [],
  quorum: 1,
  opened_at: AT,
}

describe('record', () => {
  test('writes to Postgres, then publishes to the stream', async () => {
    const job = await harness.job()
    const interventions = [{ change: 'opened' as const, intervention: buildIntervention }]
    await activities.record(
      record(job, { status: 'waiting', current_step: 'Pay?', nodes: [node('a'), node('b')], interventions }),
    )
    await harness.publisher.flush()
    expect(await harness.record(job)).toMatchObject({ status: 'waiting', current_step: 'Pay?' })
    expect(await harness.nodes(job)).toHaveLength(2)
    expect(await harness.events(job)).toMatchObject([
      { type: 'node', key: 'a', node_type: 'transform', status: 'completed', port: 'default' },
      { type: 'node', key: 'b' },
      { type: 'intervention', change: 'opened', interventionId: 'i-1', node_id: 'review', title: 'Pay?', at: AT },
      { type: 'status', status: 'waiting', current_step: 'Pay?' },
    ])
  })

  test('publishes a quorum that not enough people can reach', async () => {
    const job = await harness.job()
    const intervention = { ...buildIntervention, id: 'i-2', assignees: ['group:audit', 'user:ann'], quorum: 2 }
    await activities.record(record(job, { interventions: [{ change: 'opened', intervention }] }))
    await harness.publisher.flush()
    const message = '"Pay?" requires 2 answers, but only 1 of the known people may answer'
    expect(await harness.events(job)).toMatchObject([
      { type: 'intervention', change: 'opened', interventionId: 'i-2' },
      { type: 'notice', node_id: 'review', key: 'review', code: 'QUORUM_UNREACHABLE', message },
    ])
  })

  test('does not publish events that activities already published', async () => {
    const job = await harness.job()
    const published = { nodes: 1, interventions: 0, status: true }
    await activities.record(record(job, { status: 'running', nodes: [node('a'), node('b')], published }))
    await harness.publisher.flush()
    expect(await harness.events(job)).toMatchObject([{ type: 'node', key: 'b' }])
    expect(await harness.nodes(job)).toHaveLength(2)
  })

  test('fails with a retryable error while Postgres is down, and publishes nothing', async () => {
    const away = openDatabase({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', DATABASE_POOL: 1 })
    const { record: write } = createRecordActivities({
      evaluator,
      ...harness,
      db: away,
      projections: createProjections({ db: away, signer: createSigner({}) }),
    })
    const job = await harness.job()
    await expect(write(record(job, { nodes: [node('a')] }))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await harness.publisher.flush()
    expect(await harness.events(job)).toEqual([])
  })
})

describe('the end of a run', () => {
  test('includes the last updates of its nodes, also after a failed attempt', async () => {
    const job = await harness.job()
    const writer = createProjectionWriter({ projections: harness.projections, log: harness.log }, { batchMs: 600_000 })
    const running = { ...node('pay'), status: 'running' as const, input: { amount: 5 }, at: '2100-03-01T09:00:00.000Z' }
    writer.recordStart(record(job, { nodes: [running] }))
    const away = { ...harness.projections, applyFinish: () => Promise.reject(new Unavailable()) }
    const input = end(job, { result: 1, nodes: [{ ...node('pay'), output: 'paid' }] })
    const finish = (projections: Projections) =>
      createRecordActivities({ ...harness, evaluator, writer, projections }).finish(input)
    await expect(finish(away)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await finish(harness.projections)
    expect(await harness.nodes(job)).toMatchObject([{ status: 'completed', input: { amount: 5 }, output: 'paid' }])
    expect(writer.countPending()).toBe(0)
  })

  test('is published last, with its result, and the stream is left to expire', async () => {
    const job = await harness.job()
    await activities.finish(end(job, { result: { paid: true }, nodes: [node('done')] }))
    expect(await harness.events(job)).toMatchObject([
      { type: 'node', key: 'done' },
      { type: 'status', status: 'completed' },
      { type: 'complete', result: { paid: true } },
    ])
    expect(await harness.record(job)).toMatchObject({ status: 'completed', result: { paid: true }, finished_at: AT })
    expect(await harness.redis.ttl(streamKey(job.job_id))).toBeLessThanOrEqual(60)
  })

  test('of a failed run includes its error code and message', async () => {
    const job = await harness.job()
    await activities.finish(end(job, { outcome: 'failed', error: { code: 'HTTP_404', message: 'not there' } }))
    expect((await harness.events(job)).at(-1)).toEqual({ type: 'error', code: 'HTTP_404', message: 'not there' })
    expect(await harness.record(job)).toMatchObject({
      status: 'failed',
      failed_reason: 'not there',
      failed_code: 'HTTP_404',
    })
  })

  test.each([
    ['user:ann', 'cancelled by user:ann'],
    [undefined, 'cancelled by an operator'],
  ])('of a run cancelled by %s contains the actor', async (actor, message) => {
    const job = await harness.job()
    if (actor) await harness.db.inWorkspace(job.workspace_id, tx => setCancelledBy(tx, job.job_id, actor))
    await activities.finish(end(job, { outcome: 'cancelled', error: { code: 'CANCELLED', message: 'cancelled' } }))
    expect((await harness.events(job)).at(-1)).toEqual({ type: 'error', code: 'CANCELLED', message })
    expect(await harness.record(job)).toMatchObject({
      status: 'failed',
      failed_reason: message,
      failed_code: 'CANCELLED',
    })
  })

  test('is published once, even if recorded twice', async () => {
    const job = await harness.job()
    await activities.finish(end(job, { result: 1 }))
    const count = (await harness.events(job)).length
    await activities.finish(end(job, { result: 1 }))
    expect(await harness.events(job)).toHaveLength(count)
  })

  test('is published in full if the worker was killed between writing and publishing', async () => {
    const job = await harness.job()
    const input = end(job, { result: 1, nodes: [node('done')] })
    await createProjections({ db: harness.db, signer: createSigner({}) }).applyFinish(input)
    await activities.finish(input)
    expect(await harness.events(job)).toMatchObject([
      { type: 'node', key: 'done' },
      { type: 'status', status: 'completed' },
      { type: 'complete', result: 1 },
    ])
  })

  test('is published as stored if it differs from the row', async () => {
    const job = await harness.job()
    await createProjections({ db: harness.db, signer: createSigner({}) }).applyFinish(
      end(job, { outcome: 'failed', error: { code: 'GONE', message: 'x' } }),
    )
    await activities.finish(end(job, { result: 1, nodes: [node('done')] }))
    expect(await harness.events(job)).toEqual([{ type: 'error', code: 'GONE', message: 'x' }])
  })

  test.each(['kill', 'freeze'] as const)('does not wait for Redis (%s), which gets it later', async fault => {
    const server = await startRedisServer()
    const log = pino({ level: 'silent' })
    const redis = openCommands(server.url, log)
    const publisher = createJobPublisher(redis, { maxLength: 100, ttlSeconds: 60, log })
    await redis.ping().catch(() => undefined)
    await server[fault]()
    const job = await harness.job()
    await createRecordActivities({ ...harness, evaluator, publisher }).finish(end(job, { result: 1 }))
    expect(await harness.record(job)).toMatchObject({ status: 'completed' })
    if (fault === 'freeze') server.thaw()
    else await server.start()
    await waitUntil(async () => (await redis.xlen(streamKey(job.job_id)).catch(() => 0)) === 2)
    await closeRedis(redis)
    await server.remove()
  })
})

describe('a child run', () => {
  const child = (job: JobRef) => ({
    job: { ...job, job_id: `${job.job_id}-child` },
    parent_key: 'sub',
    pathway: { id: null, version: 2, title: 'Sub' },
    requester: 'user:ann',
    input: { n: 1 },
  })

  test('creates its row and opens its stream', async () => {
    const job = await harness.job()
    const input = child(job)
    await activities.openChild(input)
    await activities.openChild(input)
    await harness.publisher.flush()
    expect(await harness.record(input.job)).toMatchObject({
      status: 'pending',
      parent_key: 'sub',
      root_job_id: job.job_id,
      pathway_version: 2,
    })
    expect((await harness.events(input.job))[0]).toEqual({ type: 'status', status: 'pending' })
  })

  test('with invalid input is rejected without a retry', async () => {
    const schema = { type: 'object', properties: { n: { type: 'string' } } }
    const refused = activities.openChild({ ...child(await harness.job()), schema })
    await expect(refused).rejects.toMatchObject({
      type: 'INVALID_INPUT',
      nonRetryable: true,
      message: expect.stringContaining('/n must be a string'),
    })
  })
})
