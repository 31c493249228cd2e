import { randomBytes, randomUUID } from 'node:crypto'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { endJob } from '../../../data/runs/job-endings-store.ts'
import { readSpent, savePlan } from '../../../data/access/plans-store.ts'
import { addEmbeddingUsage, addUsage } from '../../../data/access/usage-store.ts'
import { CostCap, RateLimited, TrialExpired } from '../../../domain/shared/errors.ts'
import type { JobKind } from '../../../domain/runs/jobs.ts'
import type { Plan } from '../../../domain/access/plans.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { acceptJob, createJobStarter } from '../../../services/runs/start/job-starter.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { buildPlans } from '../../support/access/plans.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute } from '../../../data/shared/statements.ts'

const config = readConfig({ ...readEnvironment(), TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}` })

let database: TestDatabase
/** Temporal without a worker, so that runs stay pending. */
let temporal: Temporal
let ann: Principal

beforeAll(async () => {
  database = await createTestDatabase(20)
  temporal = openTemporal(config)
})
beforeEach(async () => {
  ann = await createPrincipal(database.db)
})
afterAll(() => Promise.all([database.drop(), temporal.close()]))

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(ann.workspace_id, work)

/** Starts jobs as an API process does. Each call creates a new process. */
function startOn(plan: Partial<Plan>) {
  const { db } = database
  const publisher = { publish: () => undefined }
  const idempotencyKeys = createIdempotencyKeys({ hours: 24 })
  const jobStarter = createJobStarter({ db, temporal, publisher, idempotencyKeys, plans: buildPlans(db, plan) })
  return (kind: JobKind = 'pathway', principal = ann, key?: string) =>
    jobStarter.start(
      principal,
      key ? { key, route: 'POST /v1/jobs', body_hash: 'a' } : undefined,
      async (_, claimJob) => {
        const { job, requester } = await claimJob('run')
        const workflow = { type: 'pathway', args: [], details: '' }
        return acceptJob({ job, kind, title: 'Run', requester, input: null, workflow })
      },
    )
}

/** Starts all jobs at once. Returns the ids of the accepted jobs, and the errors. */
async function startMany(starts: (() => Promise<{ job_id: string }>)[]) {
  const outcomes = await Promise.allSettled(starts.map(start => start()))
  const accepted = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value.job_id] : []))
  const errors = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  return { accepted, errors }
}

const finish = (job_id: string) =>
  inside(tx => endJob(tx, job_id, { status: 'completed', finished_at: new Date().toISOString() }))
const spend = (job_id: string, usd: number) =>
  inside(tx =>
    addUsage(tx, job_id, { key: randomUUID(), attempt: 1, usage: { input_tokens: 1, output_tokens: 1, usd } }),
  )

describe('the included spend', () => {
  const capped = { included_usd: 1, run_reserve_usd: 0.1 }

  test('parallel starts in two processes never reserve more than the included spend', async () => {
    const starts = Array.from({ length: 2 }, () => startOn(capped)).flatMap(start =>
      Array.from({ length: 12 }, () => start),
    )
    const { accepted, errors } = await startMany(starts)
    expect(accepted).toHaveLength(10)
    expect(errors).toHaveLength(14)
    for (const error of errors) expect(error).toBeInstanceOf(CostCap)
    expect((await buildPlans(database.db, capped).report(ann)).used).toEqual({
      spent_usd: 0,
      reserved_usd: 1,
      runs_in_flight: 10,
      bulk_jobs: 0,
    })
  })

  test('a finished run releases its unused reservation', async () => {
    const start = startOn(capped)
    const { accepted } = await startMany(Array.from({ length: 10 }, () => start))
    const [first = '', second = ''] = accepted
    await spend(first, 0.04)
    await expect(start()).rejects.toMatchObject({ code: 'cost_cap', status: 403 })
    await finish(first)
    await expect(start()).rejects.toBeInstanceOf(CostCap)
    await finish(second)
    await start()
    expect((await buildPlans(database.db, capped).report(ann)).used).toMatchObject({
      spent_usd: 0.04,
      reserved_usd: 0.9,
    })
  })

  test('a run that uses more than it reserved counts at its actual usage', async () => {
    const start = startOn(capped)
    const { job_id } = await start()
    await spend(job_id, 0.5)
    const { accepted } = await startMany(Array.from({ length: 10 }, () => start))
    expect(accepted).toHaveLength(5)
  })

  test('usage at the limit stops writes and all runs, even free ones', async () => {
    const plans = buildPlans(database.db, capped)
    const { job_id } = await startOn(capped)('search')
    expect((await plans.report(ann)).used.reserved_usd).toBe(0)
    await spend(job_id, 0.6)
    await plans.checkWrite(ann)
    await inside(tx => addEmbeddingUsage(tx, { model: 'm', input_tokens: 1, usd: 0.4 }))
    await expect(plans.checkWrite(ann)).rejects.toBeInstanceOf(CostCap)
    await expect(plans.checkSpend(ann.workspace_id)).rejects.toBeInstanceOf(CostCap)
  })

  test('concurrent usage is summed exactly, and usage that is rolled back does not count', async () => {
    const { job_id } = await startOn(capped)()
    await Promise.all(Array.from({ length: 40 }, () => spend(job_id, 0.01)))
    const undone = inside(async tx => {
      await addEmbeddingUsage(tx, { model: 'm', input_tokens: 1, usd: 5 })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await inside(readSpent)).toBe(0.4)
  })

  test('spend in another month or workspace does not count', async () => {
    await inside(tx => execute(tx, `insert into monthly_spend (month, usd) values ('2020-01-01', 50)`))
    const other = await createPrincipal(database.db)
    await database.db.inWorkspace(other.workspace_id, tx =>
      addEmbeddingUsage(tx, { model: 'm', input_tokens: 1, usd: 50 }),
    )
    await buildPlans(database.db, capped).checkWrite(ann)
    await startOn(capped)()
  })

  test('a repeated request that was accepted before returns its job and reserves nothing', async () => {
    const start = startOn({ included_usd: 0.1, run_reserve_usd: 0.1 })
    const key = randomUUID()
    const { job_id } = await start('pathway', ann, key)
    expect(await start('pathway', ann, key)).toMatchObject({ job_id })
    await expect(start('pathway', ann, randomUUID())).rejects.toBeInstanceOf(CostCap)
  })
})

describe('runs in flight', () => {
  test('are limited per workspace and per credential, exactly under concurrency', async () => {
    const plan = { runs_in_flight: 5, runs_in_flight_per_credential: 3 }
    const [start, other] = [startOn(plan), startOn(plan)]
    const robot: Principal = { ...ann, key_id: 'robot' }
    const own = await startMany(Array.from({ length: 8 }, (_, i) => (i % 2 ? start : other)))
    expect(own.accepted).toHaveLength(3)
    for (const error of own.errors)
      expect(error).toMatchObject({ code: 'RATE_LIMIT', message: 'The credential has 3 active runs', retryAfter: 5 })
    const robots = await startMany(Array.from({ length: 8 }, () => () => start('pathway', robot)))
    expect(robots.accepted).toHaveLength(2)
    for (const error of robots.errors) expect(error).toBeInstanceOf(RateLimited)
    await finish(own.accepted[0] ?? '')
    await start('pathway', robot)
  })
})

describe('bulk jobs', () => {
  test('are limited per workspace, exactly under concurrency, and start even when runs are at their limit', async () => {
    const plan = { bulk_jobs: 2, runs_in_flight: 1 }
    const [start, other] = [startOn(plan), startOn(plan)]
    await start()
    const { accepted, errors } = await startMany(
      Array.from({ length: 6 }, (_, i) => () => (i % 2 ? start : other)('bulk')),
    )
    expect([accepted.length, errors.length]).toEqual([2, 4])
    for (const error of errors)
      expect(error).toMatchObject({
        code: 'RATE_LIMIT',
        message: expect.stringMatching(/^The workspace has 2 active bulk jobs: see GET .v1.jobs.kind=bulk/),
      })
    expect((await buildPlans(database.db, plan).report(ann)).used).toMatchObject({ bulk_jobs: 2 })
    await finish(accepted[0] ?? '')
    await start('bulk')
  })
})

describe('a trial', () => {
  test('blocks writes after its end, but not before', async () => {
    const at = (ms: number) =>
      inside(tx => savePlan(tx, { plan: null, trial_ends_at: new Date(Date.now() + ms).toISOString() }))
    await at(60_000)
    await buildPlans(database.db).checkWrite(ann)
    await at(-1_000)
    const plans = buildPlans(database.db)
    await expect(plans.checkWrite(ann)).rejects.toBeInstanceOf(TrialExpired)
    await expect(plans.checkWrite(ann)).rejects.toMatchObject({ code: 'trial_expired', status: 403 })
    await plans.checkSpend(ann.workspace_id)
  })
})
