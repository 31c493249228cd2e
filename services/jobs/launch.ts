import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { SearchAttributePair } from '@temporalio/common'
import { writeAudit } from '../../data/audit-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import { deleteJob, insertJob } from '../../data/jobs-store.ts'
import type { JobKind, JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { runAttributes } from '../../workflows/attributes.ts'
import { claimKey } from '../idempotency.ts'
import type { Temporal } from '../temporal.ts'
import type { Idempotency } from './types.ts'

/** A job as it is accepted: what its row says, and the workflow that does it. */
export interface Launch {
  job: JobRef
  kind: JobKind
  title: string
  requester: string
  input: JsonValue
  pathway?: { id: string | null; version: number | null }
  asset_id?: string
  neuron?: { id: string; version: number }
  receptor_id?: string
  trace?: TraceTurn
  workflow: {
    type: string
    args: unknown[]
    /** For the Temporal UI, in Markdown. */
    details: string
    /** Beside those that all kinds have. */
    attributes?: SearchAttributePair[]
  }
}

/** What is to be launched, before it has an id: that begins with `name`, a word people can read. */
export interface Plan {
  name: string
  launch: (job: JobRef) => Launch
}

export interface Launcher {
  /**
   * Starts a job: `plan` runs in the transaction that writes its row. The same key starts the same job; throws Conflict
   * when another request has used it.
   */
  start(
    principal: Principal,
    plan: (tx: Tx) => Promise<Plan>,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
  /**
   * The first half of a start, for who has more to write in the same transaction: the row and its audit line. Says
   * whether the row is new. `begin` is to follow once the transaction is done.
   */
  accept(tx: Tx, principal: Principal, launch: Launch, options?: { mayBeThere: boolean }): Promise<boolean>
  /**
   * The second half: starts the workflow under the job's own id, so that doing it again starts nothing twice. Throws
   * Unavailable; then the row stays if the request can be sent again and finds it, and goes otherwise.
   */
  begin(launch: Launch, options: { isNew: boolean; canBeSentAgain: boolean }): Promise<void>
  /** A new job of the caller's, whose id begins with a word people can read. */
  refFor(principal: Principal, name: string): JobRef
}

interface Deps {
  db: Database
  temporal: Temporal
  publisher: Pick<JobPublisher, 'publish'>
  idempotencyHours: number
}

const FORGET_TRIES = 300
const FORGET_EVERY = 1_000

/** Accepts jobs of any kind: first the row, then the workflow. */
export function createLauncher({ db, temporal, publisher, idempotencyHours }: Deps): Launcher {
  const begin: Launcher['begin'] = async (launch, { isNew, canBeSentAgain }) => {
    const { job } = launch
    if (isNew) publisher.publish(job.job_id, { type: 'status', status: 'pending' })
    try {
      await temporal.call(() => startWorkflow(temporal, launch))
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return
      // A row that nobody asks for again is repaired when it is read.
      if (!canBeSentAgain) void forgetUnstarted(job)
      throw error
    }
  }

  /** The call may have arrived although it failed, so the row goes only once Temporal says there is no such run. */
  async function forgetUnstarted(job: JobRef): Promise<void> {
    for (let tries = 0; tries < FORGET_TRIES; tries++) {
      await pause(FORGET_EVERY, undefined, { ref: false })
      // What is away, be it Temporal or Postgres, or not itself yet, is asked again.
      if (await isSettled(job).catch(() => false)) return
    }
  }

  /** True when the run is there after all, or its row is gone. */
  async function isSettled({ job_id, workspace_id }: JobRef): Promise<boolean> {
    try {
      await temporal.call(() => temporal.handle(job_id).describe())
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      await db.inWorkspace(workspace_id, tx => deleteJob(tx, job_id))
    }
    return true
  }

  return {
    accept,
    begin,
    refFor,
    async start(principal, plan, idempotency) {
      const hasKey = idempotency !== undefined
      const { launch, isNew } = await db.inWorkspace(principal.workspace_id, async tx => {
        const { name, launch } = await plan(tx)
        const drawn = refFor(principal, name)
        const { target } = idempotency
          ? await claimKey(tx, idempotency, drawn.job_id, idempotencyHours)
          : { target: drawn.job_id }
        const accepted = launch({ ...drawn, job_id: target, root_job_id: target })
        return { launch: accepted, isNew: await accept(tx, principal, accepted, { mayBeThere: hasKey }) }
      })
      await begin(launch, { isNew, canBeSentAgain: hasKey })
      return { job_id: launch.job.job_id, status: 'pending' }
    },
  }
}

function refFor(principal: Principal, name: string): JobRef {
  const job_id = `${name}-${randomUUID()}`
  const { workspace_id, brain_id, brain_ids } = principal
  return { job_id, root_job_id: job_id, workspace_id, brain_id, brain_ids: brain_ids ?? undefined }
}

/** A request that was sent again finds the row that it wrote. */
async function accept(tx: Tx, principal: Principal, launch: Launch, { mayBeThere } = { mayBeThere: false }) {
  const { job, kind, title, requester, input, pathway, asset_id, neuron, receptor_id, trace } = launch
  const added = insertJob(tx, {
    job_id: job.job_id,
    brain_id: job.brain_id ?? null,
    root_job_id: job.root_job_id,
    parent_key: null,
    kind,
    pathway_id: pathway?.id ?? null,
    pathway_version: pathway?.version ?? null,
    asset_id,
    neuron_id: neuron?.id,
    neuron_version: neuron?.version,
    receptor_id,
    ...trace,
    title,
    requester,
    input,
  })
  if (mayBeThere && !(await added)) return false
  const note = {
    actor: principal.actor,
    action: 'job.start' as const,
    target: job.job_id,
    details: { key_id: principal.key_id },
  }
  await Promise.all([added, writeAudit(tx, note)])
  return true
}

const startWorkflow = ({ client, taskQueue }: Temporal, { job, kind, title, workflow }: Launch) =>
  client.workflow.start(workflow.type, {
    taskQueue,
    workflowId: job.job_id,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    args: workflow.args,
    staticSummary: title,
    staticDetails: workflow.details,
    typedSearchAttributes: [...runAttributes(job.workspace_id, kind), ...(workflow.attributes ?? [])],
  })
