import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import {
  type Commitments,
  findPlan,
  lockRunStarts,
  readCommitments,
  readSpent,
  type StoredPlan,
} from '../../data/access/plans-store.ts'
import { CostCap, RateLimited, TrialExpired } from '../../domain/shared/errors.ts'
import type { JobKind } from '../../domain/runs/jobs.ts'
import { buildCredentialKey, type WorkspacePlan } from '../../domain/access/plans.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { PlanReport } from '../../contract/access/plan.ts'

/** Maximum time until a changed plan takes effect. */
const CACHE_MS = 5_000
const CACHE_ENTRIES = 10_000
/** Suggested time to wait for a running run to finish, in whole seconds. */
const RETRY_RUN_SECONDS = 5

/** Job kinds that can call a language model or the speech service. */
const SPENDING: ReadonlySet<JobKind> = new Set(['pathway', 'neuron', 'tool', 'transcribe', 'meeting'])

/** Reserves capacity for a new root run and checks its workspace's limits. */
export interface RunAdmission {
  credential: string
  reserved_usd: number
  /** Call before the run's row is inserted. Other starts in the workspace then wait until the transaction ends. */
  lock(tx: Tx): Promise<void>
  /** Call after the run's row is inserted. Throws CostCap or RateLimited. */
  check(tx: Tx): Promise<void>
}

export interface PlansService {
  /** Returns a workspace's plan, up to five seconds old. Throws Unavailable. */
  find(workspaceId: string): Promise<WorkspacePlan>
  /** Throws TrialExpired, or CostCap if the included monthly spend is used up. */
  checkWrite(principal: Principal): Promise<void>
  /** Throws CostCap if the included monthly spend is used up. Called before each call that costs money. */
  checkSpend(workspaceId: string): Promise<void>
  /** Returns a function that admits runs of a given kind. Call before the run's transaction. */
  prepareAdmission(principal: Principal): Promise<(kind: JobKind) => RunAdmission>
  report(principal: Principal): Promise<PlanReport>
}

interface Deps {
  db: Database
  config: Pick<Config, 'PLANS' | 'DEFAULT_PLAN'>
  log: Logger
}

export function createPlans({ db, config, log }: Deps): PlansService {
  const cache = new LRUCache<string, WorkspacePlan>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    allowStaleOnFetchRejection: true,
    fetchMethod: async workspaceId => resolvePlan(workspaceId, await db.inWorkspace(workspaceId, findPlan)),
  })

  function resolvePlan(workspaceId: string, { plan: planName, trial_ends_at }: StoredPlan): WorkspacePlan {
    const { PLANS, DEFAULT_PLAN } = config
    const effectivePlan = planName ?? DEFAULT_PLAN
    const name = effectivePlan in PLANS ? effectivePlan : DEFAULT_PLAN
    if (name !== effectivePlan)
      log.error({ workspace_id: workspaceId, plan: effectivePlan }, "the workspace's plan is not configured")
    const plan = PLANS[name]
    if (!plan) throw new Error(`there is no plan ${name}`)
    return { name, ...plan, trial_ends_at }
  }

  async function find(workspaceId: string): Promise<WorkspacePlan> {
    const plan = await cache.fetch(workspaceId)
    if (!plan) throw new Error("the workspace's plan was not found")
    return plan
  }

  async function checkUsed(workspaceId: string, { included_usd }: WorkspacePlan): Promise<void> {
    if (included_usd === null) return
    if ((await db.inWorkspace(workspaceId, readSpent)) >= included_usd) throw new CostCap(included_usd)
  }

  return {
    find,
    async checkWrite({ workspace_id }) {
      const plan = await find(workspace_id)
      checkTrial(plan)
      await checkUsed(workspace_id, plan)
    },
    async checkSpend(workspaceId) {
      await checkUsed(workspaceId, await find(workspaceId))
    },
    async prepareAdmission(principal) {
      const plan = await find(principal.workspace_id)
      return kind => createAdmission(plan, principal, kind)
    },
    async report(principal) {
      const plan = await find(principal.workspace_id)
      const credential = buildCredentialKey(principal)
      const commitments = await db.inWorkspace(principal.workspace_id, tx => readCommitments(tx, credential))
      const { runs_of_credential: _own, committed_usd: _sum, ...usage } = commitments
      const { name, trial_ends_at, trial_days: _days, ...limits } = plan
      return { name, trial_ends_at, limits, used: usage }
    },
  }
}

function checkTrial({ trial_ends_at }: WorkspacePlan): void {
  if (trial_ends_at !== null && Date.parse(trial_ends_at) <= Date.now()) throw new TrialExpired(trial_ends_at)
}

function createAdmission(plan: WorkspacePlan, principal: Principal, kind: JobKind): RunAdmission {
  const { included_usd, run_reserve_usd, runs_in_flight, runs_in_flight_per_credential } = plan
  const credential = buildCredentialKey(principal)
  const reserved_usd = included_usd !== null && SPENDING.has(kind) ? run_reserve_usd : 0
  const isBulk = kind === 'bulk'
  const isLimited = isBulk || included_usd !== null || runs_in_flight !== null || runs_in_flight_per_credential !== null
  return {
    credential,
    reserved_usd,
    async lock(tx) {
      if (isLimited) await lockRunStarts(tx)
    },
    async check(tx) {
      if (!isLimited) return
      const commitments = await readCommitments(tx, credential)
      // A bulk job may start even when the plan's run limit is reached, because the job may cancel runs.
      if (isBulk) checkBulkJobs(commitments.bulk_jobs, plan.bulk_jobs)
      else checkCommitments(plan, commitments, reserved_usd)
    },
  }
}

/** @param reservedUsd amount reserved by the new run, already included in the commitments */
function checkCommitments(plan: WorkspacePlan, commitments: Commitments, reservedUsd: number): void {
  const { included_usd, runs_in_flight, runs_in_flight_per_credential } = plan
  if (included_usd !== null && reservedUsd > 0 && commitments.committed_usd > included_usd)
    throw new CostCap(included_usd)
  checkRuns(commitments.runs_in_flight, runs_in_flight, 'The workspace')
  checkRuns(commitments.runs_of_credential, runs_in_flight_per_credential, 'The credential')
}

function checkBulkJobs(open: number, limit: number): void {
  if (open <= limit) return
  const where = 'see GET /v1/jobs?kind=bulk, or stop one with POST /v1/jobs/:jobId/cancel'
  throw new RateLimited(`The workspace has ${limit} active bulk jobs: ${where}`, RETRY_RUN_SECONDS)
}

function checkRuns(runs: number, limit: number | null, owner: string): void {
  if (limit !== null && runs > limit) throw new RateLimited(`${owner} has ${limit} active runs`, RETRY_RUN_SECONDS)
}
