import { countByFacts, leavesOutRuns, readTime, type SampledRun, sampleRuns } from '../../../data/runs/bulk-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { DEFAULT_PER_SECOND, namesCancelled } from '../../../domain/runs/bulk/bulk.ts'
import { findBreadth } from '../../../domain/runs/bulk/breadth.ts'
import { AppError, Forbidden, ValidationError } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { cleanTitle } from '../../../domain/shared/text/title.ts'
import { BULK_WORKFLOW, type BulkRunInput } from '../../../workflows/runs/bulk-messages.ts'
import { contextBrain, visibleBrains } from '../../access/brains.ts'
import type { IdempotencyKeys } from '../../shared/idempotency.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { PlansService } from '../../access/plans.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { getJob } from '../find.ts'
import { type JobStart, type JobStarter, acceptJob } from '../start/job-starter.ts'
import { createStatusReader } from '../status/status.ts'
import { type BulkOperation, describeRefusal, type OperationDeps } from './operation.ts'
import { getOperation } from './operations/index.ts'
import type { Caller } from '../../access/callers.ts'
import type { BulkBody, BulkPreview } from '../../../contract/runs/bulk.ts'
import type { JobAccepted } from '../../../contract/runs/control.ts'
import type { JobFilter } from '../job-queries.ts'

/** A job list filter. */
export type BulkRequestFilter = Omit<JobFilter, 'sort' | 'limit' | 'offset'>

export interface BulkRequest extends Omit<BulkBody, 'filter' | 'dry_run'> {
  filter: BulkRequestFilter
}

/**
 * Applies an operation to all runs that match a filter. Methods throw Forbidden without the operation's permission,
 * and ValidationError for options that the operation does not accept.
 */
export interface BulkJobs {
  /** Previews a bulk job without changing anything. */
  preview(caller: Pick<Caller, 'principal'>, request: BulkRequest, idempotency?: Idempotency): Promise<BulkPreview>
  /** Starts the bulk job. Throws ValidationError for an unconfirmed filter that selects all runs. */
  start(caller: Pick<Caller, 'principal'>, request: BulkRequest, idempotency?: Idempotency): Promise<JobAccepted>
}

interface Deps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
  jobs: OperationDeps['jobs']
  plans: Pick<PlansService, 'checkWrite'>
  idempotencyKeys: Pick<IdempotencyKeys, 'check'>
}

/** Maximum number of runs listed in a preview. */
const MAX_SAMPLE = 20

export function createBulkJobs({ db, temporal, jobStarter, jobs, plans, idempotencyKeys }: Deps): BulkJobs {
  const deps = { db, temporal, jobs, readStatus: createStatusReader({ db, temporal }) }

  /** Checks a sampled run. If the operation appeared to apply but would be rejected, describes why. */
  async function presentSample(principal: Principal, run: SampledRun, request: BulkRequest, operation: BulkOperation) {
    const { job_id, title, kind, status } = run
    const obstacle = operation.findObstacle(run, pickTerms(request))
    const { message, asked_again = [] } =
      obstacle === undefined ? await previewRun(principal, run, request, operation) : { message: obstacle }
    return {
      job_id,
      title,
      kind,
      status,
      applies: message === undefined,
      ...(message !== undefined && { message }),
      ...(asked_again.length > 0 && { asked_again }),
    }
  }

  async function previewRun(
    principal: Principal,
    { job_id }: SampledRun,
    { options }: BulkRequest,
    operation: BulkOperation,
  ): Promise<Pick<BulkPreview['sample'][number], 'message' | 'asked_again'>> {
    if (!operation.preview) return {}
    try {
      const row = await db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, job_id))
      return { asked_again: await operation.preview(deps, { principal, row, bulk_job_id: '', options }) }
    } catch (error) {
      if (error instanceof AppError) return { message: describeRefusal(error) }
      throw error
    }
  }

  async function check({ principal }: Pick<Caller, 'principal'>, request: BulkRequest) {
    // The bulk job belongs to the brain in the caller's context.
    contextBrain(principal)
    const operation = getOperation(request.operation)
    if (!principal.permissions.has(operation.permission))
      throw new Forbidden(`The operation "${request.operation}" requires the permission "${operation.permission}"`)
    checkOptions(operation, request)
    if (operation.effect === 'write') await plans.checkWrite(principal)
    return operation
  }

  return {
    async preview(caller, request, idempotency) {
      const { principal } = caller
      const operation = await check(caller, request)
      const { created_before, counted, sample, needs_confirm } = await db.inWorkspace(
        principal.workspace_id,
        async tx => {
          await idempotencyKeys.check(tx, idempotency)
          const filter = await pinFilter(tx, principal, request)
          const selection = { filter, writable: principal.brain_ids }
          return {
            created_before: filter.created_before,
            counted: await countByFacts(tx, selection),
            sample: await sampleRuns(tx, selection, MAX_SAMPLE),
            needs_confirm: await meansAll(tx, request, filter, operation),
          }
        },
      )
      const judged = counted.map(({ count, ...facts }) => ({
        count,
        message: operation.findObstacle(facts, pickTerms(request)),
      }))
      return {
        operation: request.operation,
        dry_run: true,
        ...sumUp(judged),
        created_before,
        needs_confirm,
        sample: await Promise.all(sample.map(run => presentSample(principal, run, request, operation))),
      }
    },

    async start(caller, request, idempotency) {
      const { principal } = caller
      const operation = await check(caller, request)
      return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
        const { job, existing } = await claimJob(`bulk-${request.operation}`)
        const before = existing?.input as { filter: { created_before: string } } | undefined
        const filter = await pinFilter(tx, principal, request, before?.filter.created_before)
        if (!existing && request.confirm !== true && (await meansAll(tx, request, filter, operation)))
          throw confirmationError()
        return acceptJob(buildBulkJob(job, principal, request, filter))
      })
    },
  }
}

const pickTerms = ({ filter, options }: BulkRequest) => ({ names_cancelled: namesCancelled(filter), options })

function checkOptions(operation: BulkOperation, { operation: name, options }: BulkRequest): void {
  if (options === undefined && !operation.findOptionProblems) return
  const problems = operation.findOptionProblems?.(options ?? {}) ?? [
    { pointer: '/options', message: `must not be given for "${name}"` },
  ]
  if (problems.length > 0) throw new ValidationError(`The options are not valid for the operation "${name}"`, problems)
}

type PinnedFilter = BulkRunInput['filter']

/** Pins a request's filter to the runs that the caller can currently see. Runs that start later are excluded. */
async function pinFilter(
  tx: Tx,
  principal: Principal,
  { filter }: BulkRequest,
  pinnedAt?: string,
): Promise<PinnedFilter> {
  const now = pinnedAt ?? (await readTime(tx))
  const { created_before = now } = filter
  const until = Date.parse(created_before) < Date.parse(now) ? created_before : now
  return { ...filter, created_before: until, brain_ids: visibleBrains(principal) }
}

/** Returns whether the filter selects every run whose status the operation may apply to. */
async function meansAll(
  tx: Tx,
  { filter: requestedFilter }: BulkRequest,
  filter: PinnedFilter,
  { statuses }: BulkOperation,
): Promise<boolean> {
  const leftOut = findBreadth(requestedFilter, statuses, Date.parse(await readTime(tx)))
  return leftOut === 'none' || (leftOut === 'other_times' && !(await leavesOutRuns(tx, filter, statuses)))
}

const confirmationError = () =>
  new ValidationError('The filter selects every run to which the operation applies', [
    { pointer: '/confirm', message: 'must be true for a filter that excludes no runs' },
  ])

function sumUp(judged: { count: number; message?: string }[]): Pick<BulkPreview, 'matched' | 'applies' | 'reasons'> {
  const sums = new Map<string | undefined, number>()
  for (const { count, message } of judged) sums.set(message, (sums.get(message) ?? 0) + count)
  const reasons = [...sums].flatMap(([message, count]) => (message === undefined ? [] : [{ message, count }]))
  return {
    matched: judged.reduce((sum, { count }) => sum + count, 0),
    applies: sums.get(undefined) ?? 0,
    reasons: reasons.toSorted((a, b) => b.count - a.count),
  }
}

function buildBulkJob(
  job: JobRef,
  { actor: requester, key_id, is_user }: Principal,
  request: BulkRequest,
  filter: PinnedFilter,
): JobStart {
  const { operation, options, reason, per_second = DEFAULT_PER_SECOND } = request
  const title = cleanTitle(reason === undefined ? `Bulk ${operation}` : `Bulk ${operation}: ${reason}`)
  const { brain_ids: _seen, ...visibleFilter } = filter
  const credential = { key_id, ...(is_user && { is_user }) }
  const run: BulkRunInput = { job, requester, credential, operation, filter, options, per_second, reason }
  const input = {
    operation,
    filter: visibleFilter as JsonObject,
    per_second,
    ...(options && { options }),
    ...(reason && { reason }),
  }
  const workflow = { type: BULK_WORKFLOW, args: [run], details: `Bulk ${operation}, by ${requester}.` }
  return { job, kind: 'bulk', title, requester, input, workflow }
}
