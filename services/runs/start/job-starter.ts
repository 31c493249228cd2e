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

/** The row of a job and the workflow that carries it out. */
export interface JobStart {
  job: JobRef
  kind: JobKind
  title: string
  requester: string
  input: JsonValue
  pathway?: { id: string | null; version: number | null }
  /** The definition of a pathway that is not stored. */
  definition?: JsonValue
  asset_id?: string
  neuron?: { id: string; version: number }
  receptor_id?: string
  /** The trigger that started it. */
  trigger?: { id: string; slug: string }
  trace?: TraceTurn
  /** The thread whose message started the run, which is none of its turns. */
  source_trace_id?: string
  /** Stored with the row. */
  run_spec?: NeuronRunSpec
  /** Writes what else belongs to the row, in its transaction. */
  writeMore?: (tx: Tx) => Promise<void>
  /** True when a repeat of the request finds the row even without an idempotency key. */
  isRepeatable?: boolean
  /** True when the first event of the stream is already published. */
  hasStream?: boolean
  workflow: {
    type: string
    args: unknown[]
    /** Markdown for the Temporal UI. */
    details: string
    /** In addition to those of all kinds. */
    attributes?: SearchAttributePair[]
    memo?: Record<string, string>
  }
}

/** The job that belongs to a request. */
export interface ClaimedJob {
  job: JobRef
  requester: string
  /** False when an earlier request has used the same idempotency key. */
  isNew: boolean
  /** The row that the earlier request wrote. */
  existing?: JobRecord
  /** The response that the earlier request stored. */
  response: JsonValue
}

/**
 * Claims the idempotency key of the request. A repeat gets the job and the requester of the row, so that the workflow is
 * started for the first caller. The id of a new job begins with `name`, which people can read.
 */
export type ClaimJob = (name: string) => Promise<ClaimedJob>

/** The response to a request and the job to start for it, if any. */
export interface JobBuild<T> {
  jobStart?: JobStart
  response: T
}

export interface JobStarter {
  /**
   * Calls `build` in the transaction that writes the job's row, then starts the workflow. The workflow id is the job id,
   * so a repeat starts nothing twice. Throws CostCap or RateLimited when the plan of the workspace does not allow another
   * run, Conflict when another request has used the idempotency key, and Unavailable when Temporal is unavailable:
   * the row then stays if a repeat of the request finds it, and is deleted otherwise.
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
  /** The address of the runs of the console, if the service has a public one. */
  consoleRuns?: string
}

const DELETE_ATTEMPTS = 300
const DELETE_INTERVAL_MS = 1_000
/** Maximum number of starts at a time. More are not faster, and another workspace would wait for them. */
const MAX_STARTS = 4
/** Limit for waiting until other requests have started their runs. */
const MAX_WAIT_MS = 30_000
/** Time between two starts of a workspace while another one has work and the machine is not busy. */
const IDLE_GAP_MS = 30

export function createJobStarter({ db, temporal, publisher, idempotencyKeys, plans, consoleRuns }: Deps): JobStarter {
  const starts = createSlots(MAX_STARTS, MAX_WAIT_MS)
  const pace = createWorkPace(watchProcessors(), { busyMs: BUSY_RUN_GAP_MS, idleMs: IDLE_GAP_MS, saved: 2 })

  async function claimJob(tx: Tx, principal: Principal, name: string, idempotency?: Idempotency): Promise<ClaimedJob> {
    const ref = buildJobRef(principal, newJobId(name))
    const { target, isNew, response } = await idempotencyKeys.claim(tx, idempotency, ref.job_id)
    const existing = isNew ? undefined : await findJob(tx, target)
    // Temporal no longer knows the run of a purged job, and would start it again.
    if (existing?.purged_at) throw new Conflict('The content of the job of this Idempotency-Key was removed')
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

  /** The failed call may have reached Temporal: the row is deleted only once Temporal answers that there is no run. */
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
      // The first request with a key has a new id.
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
      if (delayMs > MAX_WAIT_MS) throw new Unavailable('The workspace starts too many runs at a time')
      if (delayMs > 0) await pause(delayMs)
      return starts.use(principal.workspace_id, () => start(principal, ...request))
    },
  }
}

/** A new id that begins with `name`. */
export const newJobId = (name: string): string => `${name}-${randomUUID()}`

/** The reference of a new job, with an id that begins with a readable name. */
export function buildJobRef(principal: Principal, job_id: string): JobRef {
  const { workspace_id, brain_ids, people, permissions, labels } = principal
  const brain_id = contextBrain(principal) ?? undefined
  const access = { brain_id, brain_ids: brain_ids ?? undefined, people, rights: filterRights(permissions), labels }
  return { job_id, root_job_id: job_id, workspace_id, ...access }
}

/** The build of a job whose request is answered with its id. */
export const acceptJob = (jobStart: JobStart): JobBuild<JobAccepted> => ({
  jobStart,
  response: { job_id: jobStart.job.job_id, status: 'pending' },
})

/** Writes the row within the limits of the plan. Returns false when the row exists. */
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

/** Writes the row and the audit line. Returns false when the row exists. */
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
    // Those of calls of tools and of searches are made by the service.
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

/** Writes the audit entry of a new job. Its hash is that of the row, which has the input. */
export async function writeJobStart(tx: Tx, author: AuditAuthor, row: NewJob): Promise<void> {
  const { job_id, brain_id, kind = 'pathway', parent_job_id, trace_id, turn } = row
  const details = { kind, ...(parent_job_id && { parent_job_id }), ...(trace_id && { trace_id, turn: turn ?? null }) }
  await writeAudit(tx, author, { action: 'job.start', target: job_id, brain_id, after: row, details })
}
