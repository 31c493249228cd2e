import type { WorkflowExecutionDescription } from '@temporalio/client'
import { findOwnSlug } from '../../../data/access/access-store.ts'
import { readBatches } from '../../../data/shared/batches.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findResource } from '../../../data/resources/resources-store.ts'
import { findJobSummaries, findRunDefinition, type JobSummary, listOpenJobs } from '../../../data/runs/jobs-store.ts'
import {
  findLatestEntry,
  isPendingDelivery,
  isStartedMessage,
  type JobVote,
  listJobVotes,
  listNodeStates,
  listPendingDeliveries,
  listStartedMessages,
  listUnpublishedEvents,
  type NodeState,
  type PendingDelivery,
} from '../../../data/runs/reconcile-store.ts'
import { listWorkspaceIds } from '../../../data/search/search-outbox-store.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import { isTerminal, type JobStatus } from '../../../domain/runs/jobs.ts'
import { listTimes } from '../../../domain/triggers/schedule/times.ts'
import { readScheduleTimes } from '../../../domain/triggers/types/schedule.ts'
import { STATUS } from '../../../workflows/shared/run/attributes.ts'
import { buildMessageWorkflowId } from '../../../workflows/channels/messages.ts'
import { buildDeliveryWorkflowId } from '../../../workflows/webhooks/delivery-messages.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { TriggerFollower } from '../../triggers/follow-triggers.ts'
import { compareAnswers } from './answers.ts'
import { listEffects } from './effects.ts'
import { listOpenWorkflows } from './list-open-runs.ts'
import { describeRun, readRun, type RunRecord } from './read-run.ts'
import { createRepairs, type Repairs } from './repairs.ts'
import type { Difference, DifferenceKind, EffectInDoubt, ReconcileReport, Repair } from './report.ts'

export interface ReconcileOptions {
  /** Whether to repair what can be repaired safely. */
  apply?: boolean
  /** Whether `apply` also terminates runs whose job is missing, has ended or is outdated. */
  terminate?: boolean
  /** Time (milliseconds) from which data was lost. Adds the effects that open runs may have had since then. */
  lostSince?: number
}

interface Deps {
  db: Database
  temporal: Temporal
  follower: Pick<TriggerFollower, 'compare' | 'repair'>
}

/** Number of runs that are read at once. */
const AT_ONCE = 10
/** A run that was accepted just now may not be in Temporal yet, in milliseconds. */
const START_GRACE_MS = 60_000
const MAX_COUNTED_TIMES = 1_000
const MAX_EVENTS = 10_000

/**
 * Compares Postgres with Temporal after a restore, run by run. Needs no worker. Changes nothing without `apply`.
 * Throws Unavailable.
 */
export async function reconcile(deps: Deps, options: ReconcileOptions = {}): Promise<ReconcileReport> {
  return new Reconciliation(deps, options).run()
}

interface Workspace {
  id: string
  slug: string
}

class Reconciliation {
  private readonly report: ReconcileReport = {
    latest_entry: null,
    runs: { agreeing: 0, in_postgres: 0, in_temporal: 0 },
    schedules: 0,
    differences: [],
    effects_in_doubt: [],
  }
  private readonly deps: Deps
  private readonly options: ReconcileOptions
  private readonly repairs: Repairs
  private readonly openJobs = new Set<string>()

  constructor(deps: Deps, options: ReconcileOptions) {
    this.deps = deps
    this.options = options
    this.repairs = createRepairs(deps)
  }

  async run(): Promise<ReconcileReport> {
    const { db, temporal } = this.deps
    const open = await listOpenWorkflows(temporal)
    this.report.runs.in_temporal = open.runs.size
    const workspaces = await this.listWorkspaces()
    for (const workspace of workspaces) {
      const latest = await db.inWorkspace(workspace.id, findLatestEntry)
      if (latest !== null && latest > (this.report.latest_entry ?? '')) this.report.latest_entry = latest
      await this.compareJobs(workspace)
      await this.compareDeliveries(workspace, open.others)
      await this.compareMessages(workspace)
    }
    const bySlug = new Map(workspaces.map(workspace => [workspace.slug, workspace]))
    const unmatched = [...open.runs].filter(([id]) => !this.openJobs.has(id))
    await atOnce(unmatched, ([id, slug]) => this.compareUnmatched(id, bySlug.get(slug ?? '')))
    const slugs = new Map(workspaces.map(({ id, slug }) => [id, slug]))
    if (this.options.lostSince !== undefined) await this.addUnpublishedEvents(slugs)
    await this.compareSchedules(slugs)
    return this.report
  }

  private async listWorkspaces(): Promise<Workspace[]> {
    const { db } = this.deps
    const ids = await db.system(tx => listWorkspaceIds(tx))
    const slugs = await atOnce(ids, id => db.inWorkspace(id, tx => findOwnSlug(tx, id)))
    return ids.map((id, i) => ({ id, slug: slugs[i] ?? id }))
  }

  private async compareJobs(workspace: Workspace): Promise<void> {
    const { db } = this.deps
    const batches = readBatches(
      position => db.inWorkspace(workspace.id, tx => listOpenJobs(tx, position)),
      ({ job_id }) => job_id,
    )
    for await (const jobs of batches) {
      const ids = jobs.map(({ job_id }) => job_id)
      const [nodes, votes] = await db.inWorkspace(workspace.id, tx =>
        Promise.all([listNodeStates(tx, ids), listJobVotes(tx, ids)]),
      )
      for (const id of ids) this.openJobs.add(id)
      this.report.runs.in_postgres += ids.length
      await atOnce(jobs, job => this.compareJob(workspace, job, ofJob(nodes, job.job_id), ofJob(votes, job.job_id)))
    }
  }

  private async compareJob(workspace: Workspace, job: JobSummary, nodes: NodeState[], votes: JobVote[]): Promise<void> {
    const { temporal } = this.deps
    const { job_id } = job
    const description = await describeRun(temporal, job_id)
    const definition = await this.findDefinition(workspace, job)
    if (!description) {
      this.addEffects({ job_id, workspace: workspace.slug, job, nodes, definition })
      if (Date.now() - Date.parse(job.created_at) < START_GRACE_MS) return
      const detail = job.status === 'pending' ? 'NEVER_STARTED' : 'RECORD_GONE'
      return this.addDifference('no_run', workspace, job_id, detail, () => this.repairs.endJob(job, 'no_run'))
    }
    if (description.status.name !== 'RUNNING') {
      const status = await this.readStatus(workspace, job_id)
      if (status === undefined || isTerminal(status)) return
      return this.addDifference('run_ended', workspace, job_id, description.status.name.toLowerCase(), () =>
        this.repairs.endJob(job, 'run_ended'),
      )
    }
    const run = await readRun(temporal, description)
    this.addEffects({ job_id, workspace: workspace.slug, job, nodes, run, definition })
    const before = this.report.differences.length
    if (!run.isReadable) await this.addDifference('run_unreadable', workspace, job_id, null)
    if (await this.hasUnrecordedWait(workspace, job, run))
      await this.addDifference('wait_not_recorded', workspace, job_id, job.status, async () =>
        this.options.terminate === true ? this.repairs.terminate(job_id, workspace.id, 'wait_not_recorded') : 'none',
      )
    await this.compareVotes(workspace, job, run, votes)
    if (this.report.differences.length === before) this.report.runs.agreeing++
  }

  private async findDefinition({ id }: Workspace, { job_id, kind }: JobSummary) {
    if (this.options.lostSince === undefined || kind !== 'pathway') return undefined
    return this.deps.db.inWorkspace(id, tx => findRunDefinition(tx, job_id))
  }

  private addEffects(sources: Parameters<typeof listEffects>[0]): void {
    const hasLostPeriod = this.options.lostSince !== undefined
    this.report.effects_in_doubt.push(...listEffects({ ...sources, hasLostPeriod }))
  }

  /** A run records that it waits before it becomes idle. */
  private async hasUnrecordedWait(
    workspace: Workspace,
    { job_id, status }: JobSummary,
    { description: { raw, typedSearchAttributes }, pending }: RunRecord,
  ): Promise<boolean> {
    const isBusy = pending.length > 0 || Boolean(raw.pendingWorkflowTask) || (raw.pendingChildren ?? []).length > 0
    if (isBusy || typedSearchAttributes.get(STATUS) !== 'waiting') return false
    if (status !== 'pending' && status !== 'running') return false
    return (await this.readStatus(workspace, job_id)) === status
  }

  /** Reads a job's status again, because the run may have continued since the job was read. */
  private async readStatus({ id }: Workspace, jobId: string): Promise<JobStatus | undefined> {
    const [job] = await this.deps.db.inWorkspace(id, tx => findJobSummaries(tx, [jobId]))
    return job?.status
  }

  private async compareVotes(workspace: Workspace, job: JobSummary, run: RunRecord, votes: JobVote[]): Promise<void> {
    const { notRecorded, notCounted } = compareAnswers(run, votes)
    // An answer may have been recorded since the votes were read.
    const latest =
      notRecorded.length > 0
        ? await this.deps.db.inWorkspace(workspace.id, tx => listJobVotes(tx, [job.job_id]))
        : votes
    for (const { interventionId, by, action } of compareAnswers(run, latest).notRecorded)
      await this.addDifference('answer_not_recorded', workspace, job.job_id, `${action} by ${by}: ${interventionId}`)
    for (const vote of notCounted) {
      const { action, by } = vote.statement.vote
      const detail = `${action} by ${by}: ${vote.intervention_id}`
      await this.addDifference('answer_not_counted', workspace, job.job_id, detail, () =>
        this.repairs.resendAnswer(job, vote),
      )
    }
  }

  /** Compares a run whose job Postgres does not list as open. */
  private async compareUnmatched(id: string, workspace: Workspace | undefined): Promise<void> {
    const { db, temporal } = this.deps
    const description = await describeRun(temporal, id)
    if (description?.status.name !== 'RUNNING') return
    const read = async (tx: Tx) => Promise.all([findJobSummaries(tx, [id]), listNodeStates(tx, [id])])
    const [[job], nodes] = workspace ? await db.inWorkspace(workspace.id, read) : [[], []]
    if (job && !isTerminal(job.status)) return
    const run = await readRun(temporal, description)
    const effects = listEffects({ job_id: id, workspace: workspace?.slug ?? null, job, nodes, run })
    // The run wrote its end, and only has to complete.
    const isEnding = run.pending.length + effects.length === 0 && Boolean(description.raw.pendingWorkflowTask)
    if (job && isEnding) return void this.report.runs.agreeing++
    this.report.effects_in_doubt.push(...effects)
    const kind = job ? 'job_ended' : 'no_job'
    const parent = findParent(description)
    const hasOpenParent = parent !== undefined && this.openJobs.has(parent)
    const mayTerminate = this.options.terminate === true && !hasOpenParent
    await this.addDifference(kind, workspace, id, job?.status ?? null, async () =>
      mayTerminate ? this.repairs.terminate(id, workspace?.id, kind) : 'none',
    )
  }

  private async compareDeliveries(workspace: Workspace, workflows: ReadonlySet<string>): Promise<void> {
    const { db } = this.deps
    const batches = readBatches(
      position => db.inWorkspace(workspace.id, tx => listPendingDeliveries(tx, position)),
      ({ id }) => id,
    )
    for await (const deliveries of batches)
      await atOnce(deliveries, delivery => this.compareDelivery(workspace, delivery, workflows))
  }

  private async compareDelivery(
    workspace: Workspace,
    delivery: PendingDelivery,
    workflows: ReadonlySet<string>,
  ): Promise<void> {
    const workflowId = buildDeliveryWorkflowId(delivery.id)
    const description = await describeRun(this.deps.temporal, workflowId)
    const isOpen = description?.status.name === 'RUNNING'
    // A delivery with a due time is started by a worker. Another delivery may have ended since it was read.
    const isStopped =
      !isOpen &&
      delivery.start_due_at === null &&
      (await this.deps.db.inWorkspace(workspace.id, tx => isPendingDelivery(tx, delivery.id)))
    const isStarted = isOpen && (description.raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 0)
    const effect = { workspace: workspace.slug, job_id: null, key: delivery.id, type: 'webhook' as const }
    const call = { target: `POST ${delivery.url.split('?')[0]}`, idempotency_key: `msg_${delivery.event_id}` }
    if (isStarted) this.report.effects_in_doubt.push({ ...effect, ...call, reason: 'in_progress', sent_again: 'yes' })
    else if (this.options.lostSince !== undefined || (isStopped && !workflows.has(workflowId)))
      this.report.effects_in_doubt.push({ ...effect, ...call, reason: 'in_lost_period', sent_again: 'yes' })
    if (isStopped)
      await this.addDifference('delivery_stopped', workspace, delivery.id, delivery.webhook_id, () =>
        this.repairs.restartDelivery(workspace.id, delivery),
      )
  }

  /** The service recognizes most messages that it already has. */
  private async compareMessages({ id: workspaceId, slug }: Workspace): Promise<void> {
    const { db, temporal } = this.deps
    const batches = readBatches(
      position => db.inWorkspace(workspaceId, tx => listStartedMessages(tx, position)),
      ({ id }) => id,
    )
    for await (const messages of batches)
      await atOnce(messages, async message => {
        const description = await describeRun(temporal, buildMessageWorkflowId(message.id))
        if (description?.status.name === 'RUNNING') return
        // The message may have been shown since it was read.
        if (!(await db.inWorkspace(workspaceId, tx => isStartedMessage(tx, message.id)))) return
        await this.addDifference('message_stopped', { id: workspaceId, slug }, message.id, message.channel_id, () =>
          this.repairs.restartMessage(workspaceId, message),
        )
      })
  }

  /** An event without a delivery may have been delivered in the lost period. It is delivered with the same id. */
  private async addUnpublishedEvents(slugs: ReadonlyMap<string, string>): Promise<void> {
    const events = await this.deps.db.system(tx => listUnpublishedEvents(tx, MAX_EVENTS))
    for (const { workspace_id, event_id, type } of events)
      this.report.effects_in_doubt.push({
        workspace: slugs.get(workspace_id) ?? null,
        job_id: null,
        key: event_id,
        type: 'webhook',
        target: type,
        idempotency_key: `msg_${event_id}`,
        reason: 'in_lost_period',
        sent_again: 'possibly',
      })
  }

  private async compareSchedules(slugs: ReadonlyMap<string, string>): Promise<void> {
    const { db, follower } = this.deps
    const { scheduled, differing, orphaned } = await follower.compare()
    this.report.schedules = scheduled.length
    const isApplied = this.options.apply === true && differing.length + orphaned.length > 0
    if (isApplied) await follower.repair()
    const repair: Repair = isApplied ? 'done' : 'none'
    const add = (kind: DifferenceKind, id: string, workspace: string | null) =>
      this.report.differences.push({ kind, workspace, id, detail: null, repair })
    for (const { trigger_id, workspace_id } of differing)
      add('schedule_differs', trigger_id, slugs.get(workspace_id) ?? null)
    for (const id of orphaned) add('schedule_without_trigger', id, null)
    const { lostSince } = this.options
    if (lostSince === undefined) return
    for (const { workspace_id, trigger_id } of scheduled) {
      const head = await db.inWorkspace(workspace_id, tx =>
        findResource(tx, { kind: 'triggers', idOrSlug: trigger_id }),
      )
      const { schedule, paused } = (head?.document ?? {}) as Partial<TriggerDocument>
      if (!head?.is_active || !schedule || paused) continue
      const times = listTimes(readScheduleTimes(schedule), lostSince, MAX_COUNTED_TIMES).filter(at => at <= Date.now())
      if (times.length > 0)
        this.report.effects_in_doubt.push(describeTimes(slugs.get(workspace_id), head, times.length))
    }
  }

  private async addDifference(
    kind: DifferenceKind,
    workspace: Workspace | undefined,
    id: string,
    detail: string | null,
    repair?: () => Promise<Repair>,
  ): Promise<void> {
    const difference: Difference = { kind, workspace: workspace?.slug ?? null, id, detail, repair: 'none' }
    this.report.differences.push(difference)
    if (this.options.apply === true && repair) difference.repair = await repair()
  }
}

/** Each scheduled time in the lost period starts a new run, whose calls send new keys. */
const describeTimes = (
  workspace: string | undefined,
  { id, slug }: { id: string; slug: string },
  count: number,
): EffectInDoubt => ({
  workspace: workspace ?? null,
  job_id: null,
  key: id,
  type: 'schedule',
  target: `${slug}: ${count === MAX_COUNTED_TIMES ? 'at least ' : ''}${count} scheduled times`,
  idempotency_key: null,
  reason: 'in_lost_period',
  sent_again: 'yes',
})

const findParent = ({ raw }: WorkflowExecutionDescription): string | undefined =>
  raw.workflowExecutionInfo?.parentExecution?.workflowId ?? undefined

const ofJob = <T extends { job_id: string }>(rows: T[], jobId: string): T[] =>
  rows.filter(({ job_id }) => job_id === jobId)

async function atOnce<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))))
  return results
}
