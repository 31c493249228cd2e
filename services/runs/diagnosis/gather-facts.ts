import type { WorkflowExecutionDescription } from '@temporalio/client'
import { listAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { listOpenInterventions } from '../../../data/people/interventions-store.ts'
import { type OpenNodeRecord, listOpenNodes } from '../../../data/runs/job-nodes-store.ts'
import { findJob, type JobSummary } from '../../../data/runs/jobs-store.ts'
import { diagnose } from '../../../domain/runs/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../domain/runs/diagnosis/diagnosis.ts'
import type {
  ChildFacts,
  JobFacts,
  MissingFact,
  OpenRun,
  PendingActivity,
  PendingTimer,
  RunFacts,
} from '../../../domain/runs/diagnosis/facts.ts'
import { parseOpenWait } from '../../../domain/runs/diagnosis/open-waits.ts'
import { type JobStatus, isTerminal } from '../../../domain/runs/jobs.ts'
import { type QueuePolls, lastPollOf, readPolls } from '../../shared/task-queue.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { StatusReader } from '../status/status.ts'
import { presentWaitingFor } from '../views.ts'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { type PendingActivityInfo, parseNodeKey, describeRetry } from '../status/retries.ts'
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow/index.js'
import { type HistoryEvent, readHistoryTail } from '../status/problem.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../../domain/shared/errors.ts'

/** Maximum depth of child runs to examine, and maximum number of child runs per run. */
const MAX_DEPTH = 4
const MAX_CHILDREN = 5

/**
 * Temporal terminates a run at 51,200 events or 50 MB. A run continues as new long before that, unless its child runs
 * prevent it.
 */
const NEARLY_FULL: HistoryLimits = { max_events: 40_000, max_bytes: 40_000_000 }

interface Deps {
  db: Database
  temporal: Temporal
  readStatus: StatusReader
  /** A history that exceeds these limits counts as nearly full. */
  nearlyFull?: HistoryLimits
}

/** State shared within one response. The worker polls are read only once. */
interface Scope {
  limit: TimeLimit
  polls: Promise<QueuePolls | undefined>
}

interface RunDiagnoser {
  /** Returns a function that diagnoses jobs. All calls share one time limit. */
  open(limitMs: number): (row: JobSummary) => Promise<Diagnosis>
}

/**
 * Gathers a run's facts from its rows, Temporal and the worker polls, in parallel, and determines the cause of its
 * state.
 */
export function createRunDiagnoser(deps: Deps): RunDiagnoser {
  const { temporal } = deps
  return {
    open(limitMs) {
      const limit = createTimeLimit(limitMs)
      const { taskQueue } = temporal
      const polls = temporal.call(client => readPolls(client, { namespace: client.options.namespace, taskQueue }))
      return row => diagnoseRun(deps, { limit, polls: limit.within(polls) }, row, 0)
    },
  }
}

async function diagnoseRun(deps: Deps, scope: Scope, row: JobSummary, depth: number): Promise<Diagnosis> {
  return diagnose(await gatherFacts(deps, scope, row, depth), new Date().toISOString())
}

async function gatherFacts(deps: Deps, scope: Scope, row: JobSummary, depth: number): Promise<RunFacts> {
  const { db, readStatus } = deps
  const [rows, reading] = await Promise.all([
    isTerminal(row.status) ? NO_ROWS : db.inWorkspace(row.workspace_id, tx => readRows(tx, row)),
    scope.limit.within(readStatus(row)),
  ])
  const { questions, nodes, pause } = rows
  const job = buildJobFacts({ ...row, ...reading?.repaired, status: reading?.status ?? row.status })
  const base = { job, questions, ...splitNodes(nodes), pause, children: [], missing: [] }
  if (isTerminal(job.status) || !reading) return { ...base, run: reading ? 'absent' : 'unavailable' }
  if (!reading.run) return { ...base, run: 'absent' }
  return {
    ...base,
    ...(await gatherOpen(deps, scope, { row, run: reading.run, nodes, readProblem: reading.problem }, depth)),
  }
}

interface OpenSubject {
  row: JobSummary
  run: WorkflowExecutionDescription
  nodes: OpenNodeRecord[]
  readProblem?: () => Promise<NonNullable<Exclude<RunFacts['run'], string>['problem']>>
}

/** Gathers the facts that require the run's description from Temporal. */
async function gatherOpen(
  deps: Deps,
  scope: Scope,
  { row, run, nodes, readProblem }: OpenSubject,
  depth: number,
): Promise<Pick<RunFacts, 'run' | 'last_poll' | 'build' | 'children' | 'missing'>> {
  const { limit, polls } = scope
  const [timers, problem, polled, children] = await Promise.all([
    limit.within(readPendingTimers(deps.temporal, run)),
    readProblem && limit.within(readProblem()),
    polls,
    limit.within(gatherChildren(deps, scope, row, run, depth)),
  ])
  const missing: MissingFact[] = [
    ...(timers ? [] : ['history' as const]),
    ...(polled === undefined ? ['workers' as const] : []),
    ...(children ? [] : ['children' as const]),
  ]
  const pinned = findPinnedBuild(run)
  const build = pinned ?? polled?.current
  const lastPoll = polled && lastPollOf(polled, build)
  const startedAt = new Map(nodes.map(({ key, at, started_at = at }) => [key, started_at]))
  return {
    run: {
      ...buildOpenRun(run, startedAt, deps.nearlyFull ?? NEARLY_FULL),
      ...(timers && { timers }),
      ...(problem && { problem }),
    },
    ...(lastPoll !== undefined && { last_poll: lastPoll === 0 ? null : new Date(lastPoll).toISOString() }),
    ...(build !== undefined && { build: { id: build, is_pinned: pinned !== undefined } }),
    children: children ?? [],
    missing,
  }
}

async function gatherChildren(
  deps: Deps,
  scope: Scope,
  { workspace_id }: JobSummary,
  { raw }: WorkflowExecutionDescription,
  depth: number,
): Promise<ChildFacts[]> {
  const ids = (raw.pendingChildren ?? []).slice(0, MAX_CHILDREN).map(({ workflowId }) => workflowId ?? '')
  if (ids.length === 0) return []
  if (depth >= MAX_DEPTH) return ids.map(job_id => ({ job_id }))
  return Promise.all(
    ids.map(async job_id => {
      const row = await deps.db.inWorkspaceAtOnce(workspace_id, tx => findJob(tx, job_id))
      return { job_id, diagnosis: row && (await diagnoseRun(deps, scope, row, depth + 1)) }
    }),
  )
}

interface Rows {
  questions: RunFacts['questions']
  nodes: OpenNodeRecord[]
  pause?: RunFacts['pause']
}

const NO_ROWS: Rows = { questions: [], nodes: [] }

async function readRows(tx: Tx, { job_id }: JobSummary): Promise<Rows> {
  const [interventions, nodes, pauses] = await Promise.all([
    listOpenInterventions(tx, job_id),
    listOpenNodes(tx, job_id),
    listAudit(tx, { target: job_id, action: 'job.pause', limit: 1, offset: 0 }),
  ])
  const [paused] = pauses.rows
  return {
    questions: interventions.map(record =>
      Object.assign(presentWaitingFor(record, job_id), { excluded: record.excluded }),
    ),
    nodes,
    ...(paused && { pause: { by: paused.actor, at: paused.at } }),
  }
}

function splitNodes(nodes: OpenNodeRecord[]): Pick<RunFacts, 'waits' | 'working'> {
  const waits = nodes.filter(({ node_type }) => node_type === 'wait').map(parseOpenWait)
  const working = nodes
    .filter(({ status }) => status === 'running')
    .map(({ key, at, started_at }) => ({ key, since: started_at ?? at }))
  return { waits, working }
}

const buildJobFacts = (row: JobSummary & { status: JobStatus }): JobFacts => ({
  job_id: row.job_id,
  kind: row.kind,
  status: row.status,
  created_at: row.created_at,
  finished_at: row.finished_at,
  failed_code: row.failed_code,
  failed_reason: row.failed_reason,
  failed_node_key: row.failed_node_key,
  has_turn: row.turn !== null,
  current_step: row.current_step,
})

const { PendingActivityState, PendingWorkflowTaskState, TimeoutType } = proto.temporal.api.enums.v1

type Raw = WorkflowExecutionDescription['raw']
type Failure = proto.temporal.api.failure.v1.IFailure
type Time = Parameters<typeof tsToMs>[0]

export type HistoryLimits = Pick<OpenRun['history'], 'max_events' | 'max_bytes'>

/**
 * Extracts the facts from an open run's description.
 * @param startedAt start times of the run's nodes, by key
 */
function buildOpenRun(
  { raw, historyLength, historySize = 0 }: WorkflowExecutionDescription,
  startedAt: ReadonlyMap<string, string>,
  { max_events, max_bytes }: HistoryLimits,
): OpenRun {
  return {
    history: { events: historyLength, bytes: historySize, max_events, max_bytes },
    task: describeTask(raw.pendingWorkflowTask),
    activities: (raw.pendingActivities ?? []).map(activity => describeActivity(activity, startedAt)),
    child_count: raw.pendingChildren?.length ?? 0,
  }
}

function describeTask(task: Raw['pendingWorkflowTask']): OpenRun['task'] {
  if (!task) return undefined
  const is_started = task.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED
  return { is_started, attempt: task.attempt ?? 1, since: toIso(task.originalScheduledTime ?? task.scheduledTime) }
}

function describeActivity(activity: PendingActivityInfo, startedAt: ReadonlyMap<string, string>): PendingActivity {
  const { activityId, state, attempt, lastFailure, scheduledTime, lastWorkerIdentity } = activity
  const is_started = state !== PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
  const key = parseNodeKey(activityId ?? '')
  return {
    key,
    is_started,
    attempt: Math.max(0, (attempt ?? 1) - (is_started ? 0 : 1)),
    since: startedAt.get(key) ?? toIso(activity.lastStartedTime ?? scheduledTime),
    ...(lastFailure && { ...describeRetry(activity), is_heartbeat_lost: isHeartbeatLost(lastFailure) }),
    ...(lastWorkerIdentity && { worker: lastWorkerIdentity }),
  }
}

const isHeartbeatLost = ({ timeoutFailureInfo }: Failure): boolean =>
  timeoutFailureInfo?.timeoutType === TimeoutType.TIMEOUT_TYPE_HEARTBEAT

const toIso = (time: Time): string => new Date(time ? tsToMs(time) : Date.now()).toISOString()

const { VersioningBehavior } = proto.temporal.api.enums.v1

/** Returns the worker build to which a run is pinned, if any. */
function findPinnedBuild({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): string | undefined {
  const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {}
  if (behavior !== VersioningBehavior.VERSIONING_BEHAVIOR_PINNED) return undefined
  return deploymentVersion?.buildId ?? undefined
}

/** A run writes fewer events than this between the start of a timer and an idle state. */
const MAX_EVENTS = 50

/** Returns the timers among a run's last events that have neither fired nor been cancelled, latest first. */
async function readPendingTimers(temporal: Temporal, run: WorkflowExecutionDescription): Promise<PendingTimer[]> {
  const events = await readHistoryTail(temporal, run, MAX_EVENTS)
  const endedTimers = new Set(
    events.flatMap(event => {
      const end = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes
      return end?.timerId ?? []
    }),
  )
  const open = events.filter(
    ({ timerStartedEventAttributes: startAttributes }) =>
      startAttributes && !endedTimers.has(startAttributes.timerId ?? ''),
  )
  return Promise.all(open.map(event => describeTimer(temporal, event)))
}

async function describeTimer({ client }: Temporal, event: HistoryEvent): Promise<PendingTimer> {
  const { startToFireTimeout } = event.timerStartedEventAttributes ?? {}
  const at = event.eventTime ? tsToMs(event.eventTime) : Date.now()
  const { loadedDataConverter } = client.options
  const summary = await decodeOptionalSinglePayload<string>(loadedDataConverter, event.userMetadata?.summary)
  return {
    summary: summary ?? '',
    since: new Date(at).toISOString(),
    until: new Date(at + (startToFireTimeout ? tsToMs(startToFireTimeout) : 0)).toISOString(),
  }
}

/** The time left for a response. */
interface TimeLimit {
  /**
   * Returns the promise's result, or undefined if the time has run out or a component is unavailable. Throws other
   * errors.
   */
  within<T>(work: Promise<T>): Promise<T | undefined>
}

function createTimeLimit(ms: number): TimeLimit {
  const until = Date.now() + ms
  return {
    async within(work) {
      const stop = new AbortController()
      const msLeft = Math.max(0, until - Date.now())
      const timeout = sleep(msLeft, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
      try {
        return await Promise.race([work.catch(absentIfAway), timeout])
      } finally {
        stop.abort()
      }
    },
  }
}

function absentIfAway(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error
}
