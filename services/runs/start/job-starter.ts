import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { SearchAttributePair } from '@temporalio/common'
import { type AuditAuthor, writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  type NewJob,
  countJobsInProgress,
  deleteJob,
  findJob,
  insertJob,
  type JobRecord,
  toJobFields,
  toJobRef,
} from '../../../data/runs/jobs-store.ts'
import { saveRunSpec } from '../../../data/agents/traces-store.ts'
import { filterRights } from '../../../domain/access/rights.ts'
import { renderConsoleLink } from '../../../domain/shared/console-link.ts'
import { Conflict, Unavailable } from '../../../domain/shared/errors.ts'
import { type JobKind, type JobRef } from '../../../domain/runs/jobs.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { NeuronRunSpec, TraceTurn } from '../../../domain/agents/run-spec.ts'
import { MAX_NORMAL_RUNS, findRootPriority } from '../../../domain/shared/fairness/run-priority.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createSlots } from '../../../domain/shared/fairness/slots.ts'
import { BUSY_RUN_GAP_MS, createWorkPace } from '../../../domain/shared/fairness/work-pace.ts'
import { watchProcessors } from '../../../observability/fairness/processors.ts'
import type { JobPublisher } from '../../../streams/job-publisher.ts'
import { buildRunAttributes } from '../../../workflows/shared/run/attributes.ts'
import { contextBrain } from '../../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../../shared/idempotency.ts'
import type { PlansService, RunAdmission } from '../../access/plans.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { JobAccepted } from '../../../contract/runs/control.ts'

/** A job's row and the workflow that executes the job. */
export interface JobStart {
  job: JobRef
  kind: JobKind
  title: string
  requester: string
  input: JsonValue
  pathway?: { id: string | null; version: number | null }
  /** The inline definition of a pathway that is not stored. */
  definition?: JsonValue
  asset_id?: string
  neuron?: { id: string; version: number }
  receptor_id?: string
  /** The trigger that started the job. */
  trigger?: { id: string; slug: string }
  trace?: TraceTurn
  /** The thread whose message started the run, if the run is not one of the thread's turns. */
  source_trace_id?: string
  /** Stored in the job's row. */
  run_spec?: NeuronRunSpec
  /** Writes additional rows in the same transaction as the job's row. */
  writeMore?: (tx: Tx) => Promise<void>
  /** True if a repeated request finds the row even without an idempotency key. */
  isRepeatable?: boolean
  /** True if the first stream event is already published. */
  hasStream?: boolean
  workflow: {
    type: string
    args: unknown[]
    /** Markdown for the Temporal UI. */
    details: string
    /** Search attributes in addition to those that all kinds have. */
    attributes?: SearchAttributePair[]
    memo?: Record<string, string>
  }
}

/** The job claimed by a request. */
export interface ClaimedJob {
  job: JobRef
  requester: string
  /** False if an earlier request used the same idempotency key. */
  isNew: boolean
  /** The row that the earlier request wrote. */
  existing?: JobRecord
  /** The response that the earlier request stored. */
  response: JsonValue
}

/**
 * Claims the request's idempotency key. A repeated request gets the job and requester from the stored row, so that
 * the workflow is started for the first caller. A new job's id starts with the readable `name`.
 */
export type ClaimJob = (name: string) => Promise<ClaimedJob>

/** The response to a request, and the job to start for it, if any. */
export interface JobBuild<T> {
  jobStart?: JobStart
  response: T
}

export interface JobStarter {
  /**
   * Calls `build` in the transaction that writes the job's row, then starts the workflow. The workflow id is the job
   * id, so repeated requests never start a second run. Throws CostCap or RateLimited if the workspace's plan does not
   * allow another run. Throws Conflict if a different request used the idempotency key. Throws Unavailable if
   * Temporal is unavailable. In that case the row is kept if a repeated request would find it. Otherwise it is
   * deleted.
   */
  start<T>(
    principal: Principal,
    idempotency: Idempotency | undefined,
    build: (tx: Tx, claimJob: ClaimJob) => Promise<JobBuild<T>>,
  ): Promise<T>
}

interface Deps {
  db: Database
  temporal: Temporal
  publisher: Pick<JobPublisher, 'publish'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
  plans: Pick<PlansService, 'prepareAdmission'>
  /** The URL of the console's run pages, if the service has a public URL. */
  consoleRuns?: string
}

const DELETE_ATTEMPTS = 300
const DELETE_INTERVAL_MS = 1_000
/** Maximum number of concurrent starts. A higher number would not be faster and would delay other workspaces. */
const MAX_STARTS = 4
/** Maximum time to wait for earlier requests to start their runs, in milliseconds. */
const MAX_WAIT_MS = 30_000
/**
 * Pause between two starts in a workspace while another workspace has work and the machine is not busy, in
 * milliseconds.
 */
const IDLE_GAP_MS = 30

export function createJobStarter({ db, temporal, publisher, idempotencyKeys, plans, consoleRuns }: Deps): JobStarter {
  const starts = createSlots(MAX_STARTS, MAX_WAIT_MS)
  const pace = createWorkPace(watchProcessors(), { busyMs: BUSY_RUN_GAP_MS, idleMs: IDLE_GAP_MS, saved: 2 })

  async function claimJob(tx: Tx, principal: Principal, name: string, idempotency?: Idempotency): Promise<ClaimedJob> {
    const ref = buildJobRef(principal, newJobId(name))
    const { target, isNew, response } = await idempotencyKeys.claim(tx, idempotency, ref.job_id)
    const existing = isNew ? undefined : await findJob(tx, target)
    // Temporal no longer has a purged job's run and would start the run again.
    if (existing?.purged_at) throw new Conflict("The content of this Idempotency-Key's job was removed")
    const job = existing ? toJobRef(existing) : { ...ref, job_id: target, root_job_id: target }
    return { job, requester: existing?.requester ?? principal.actor, isNew, response, existing }
  }

  async function startWorkflow(
    principal: Principal,
    jobStart: JobStart,
    priority: number,
    isRepeatable: boolean,
  ): Promise<void> {
    try {
      await temporal.call(() => callStart(temporal, principal.workspace_slug, jobStart, priority, consoleRuns))
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return
      if (!isRepeatable) void deleteUnstarted(principal, jobStart.job)
      throw error
    }
  }

  /**
   * The failed call may have reached Temporal. The row is deleted only after Temporal confirms that the run does not
   * exist.
   */
  async function deleteUnstarted(author: AuditAuthor, job: JobRef): Promise<void> {
    for (let attempt = 0; attempt < DELETE_ATTEMPTS; attempt++) {
      await pause(DELETE_INTERVAL_MS, undefined, { ref: false })
      if (await deleteUnlessStarted(author, job).catch(() => false)) return
    }
  }

  async function deleteUnlessStarted(author: AuditAuthor, { job_id, workspace_id, brain_id }: JobRef): Promise<true> {
    try {
      await temporal.call(() => temporal.handle(job_id).describe())
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      await db.inWorkspace(workspace_id, async tx => {
        if (await deleteJob(tx, job_id))
          await writeAudit(tx, author, { action: 'job.delete', target: job_id, brain_id })
      })
    }
    return true
  }

  const start: JobStarter['start'] = async (principal, idempotency, build) => {
    const admitRun = await plans.prepareAdmission(principal)
    const { response, admitted } = await db.inWorkspace(principal.workspace_id, async tx => {
      let claimed: ClaimedJob | undefined
      const built = await build(tx, async name => (claimed = await claimJob(tx, principal, name, idempotency)))
      const { jobStart, response } = built
      if (!jobStart) return { response }
      // The first request that uses a key gets a new id.
      const mayExist = jobStart.isRepeatable === true || (idempotency !== undefined && claimed?.isNew !== true)
      const [inProgress, isNew] = await Promise.all([
        countJobsInProgress(tx, MAX_NORMAL_RUNS),
        admit(tx, principal, jobStart, admitRun(jobStart.kind), mayExist),
      ])
      return { response, admitted: { jobStart, isNew, priority: findRootPriority(inProgress) } }
    })
    if (!admitted) return response
    const { jobStart, isNew, priority } = admitted
    const isRepeatable = idempotency !== undefined || jobStart.isRepeatable === true
    if (isNew && !jobStart.hasStream) publisher.publish(jobStart.job.job_id, { type: 'status', status: 'pending' })
    await startWorkflow(principal, jobStart, priority, isRepeatable)
    return response
  }

  return {
    async start(principal, ...request) {
      const delayMs = pace.reserve(principal.workspace_id)
      if (delayMs > MAX_WAIT_MS) throw new Unavailable('The workspace is starting too many runs at once')
      if (delayMs > 0) await pause(delayMs)
      return starts.use(principal.workspace_id, () => start(principal, ...request))
    },
  }
}

/** Generates an id that starts with `name`. */
export const newJobId = (name: string): string => `${name}-${randomUUID()}`

/** Creates the reference for a new job, with an id that starts with a readable name. */
export function buildJobRef(principal: Principal, job_id: string): JobRef {
  const { workspace_id, brain_ids, people, permissions, labels } = principal
  const brain_id = contextBrain(principal) ?? undefined
  const access = { brain_id, brain_ids: brain_ids ?? undefined, people, rights: filterRights(permissions), labels }
  return { job_id, root_job_id: job_id, workspace_id, ...access }
}

/** Builds a job whose response contains the job's id. */
export const acceptJob = (jobStart: JobStart): JobBuild<JobAccepted> => ({
  jobStart,
  response: { job_id: jobStart.job.job_id, status: 'pending' },
})

/** Writes the row if the plan's limits allow another run. Returns false if the row already exists. */
async function admit(
  tx: Tx,
  principal: Principal,
  jobStart: JobStart,
  admission: RunAdmission,
  mayExist: boolean,
): Promise<boolean> {
  await admission.lock(tx)
  if (!(await persist(tx, principal, jobStart, admission, mayExist))) return false
  await admission.check(tx)
  return true
}

/** Writes the row and the audit entry. Returns false if the row already exists. */
async function persist(
  tx: Tx,
  principal: Principal,
  jobStart: JobStart,
  { credential, reserved_usd }: RunAdmission,
  mayExist: boolean,
): Promise<boolean> {
  const { job, kind, title, requester, input, pathway, asset_id, neuron, receptor_id, trigger, trace } = jobStart
  const { run_spec, definition, source_trace_id } = jobStart
  const row = {
    ...toJobFields(job),
    parent_key: null,
    kind,
    pathway_id: pathway?.id ?? null,
    pathway_version: pathway?.version ?? null,
    asset_id,
    neuron_id: neuron?.id,
    neuron_version: neuron?.version,
    receptor_id,
    trigger_id: trigger?.id,
    ...trace,
    title,
    requester,
    input,
    // Definitions for tool calls and searches are generated by the service.
    definition: kind === 'pathway' ? definition : undefined,
    credential,
    reserved_usd,
    source_trace_id,
  }
  const inserted = insertJob(tx, row)
  if (mayExist && !(await inserted)) return false
  await Promise.all([inserted, run_spec && saveRunSpec(tx, job.job_id, run_spec), writeJobStart(tx, principal, row)])
  await jobStart.writeMore?.(tx)
  return true
}

const callStart = (
  { client, taskQueue }: Temporal,
  workspace: string,
  { job, kind, title, requester, trigger, workflow }: JobStart,
  priority: number,
  consoleRuns: string | undefined,
) =>
  client.workflow.start(workflow.type, {
    taskQueue,
    workflowId: job.job_id,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    args: workflow.args,
    staticSummary: title,
    staticDetails: consoleRuns
      ? `${workflow.details}\n\n${renderConsoleLink(consoleRuns, job.job_id)}`
      : workflow.details,
    memo: workflow.memo,
    priority: { fairnessKey: job.workspace_id, priorityKey: priority },
    typedSearchAttributes: [
      ...buildRunAttributes({ workspace, kind, title, requester, trigger: trigger?.slug }),
      ...(workflow.attributes ?? []),
    ],
  })

/** Writes a new job's audit entry. The entry's hash covers the row, including the input. */
export async function writeJobStart(tx: Tx, author: AuditAuthor, row: NewJob): Promise<void> {
  const { job_id, brain_id, kind = 'pathway', parent_job_id, trace_id, turn } = row
  const details = { kind, ...(parent_job_id && { parent_job_id }), ...(trace_id && { trace_id, turn: turn ?? null }) }
  await writeAudit(tx, author, { action: 'job.start', target: job_id, brain_id, after: row, details })
}
