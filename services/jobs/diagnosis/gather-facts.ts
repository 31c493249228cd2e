import type { WorkflowExecutionDescription } from '@temporalio/client'
import { listAudit } from '../../../data/audit-store.ts'
import type { Database, Tx } from '../../../data/database.ts'
import { listOpenInterventions } from '../../../data/interventions-store.ts'
import { listOpenNodes, type OpenNodeRecord } from '../../../data/job-nodes-store.ts'
import { findJob } from '../../../data/jobs-store.ts'
import { diagnose } from '../../../domain/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../domain/diagnosis/diagnosis.ts'
import type { ChildFacts, JobFacts, MissingFact, RunFacts } from '../../../domain/diagnosis/facts.ts'
import { toOpenWait } from '../../../domain/diagnosis/open-waits.ts'
import { isTerminal, type JobStatus, type JobSummary } from '../../../domain/jobs.ts'
import { lastPollOf, type QueuePolls, readPolls } from '../../task-queue.ts'
import type { Temporal } from '../../temporal.ts'
import type { StatusReader } from '../status.ts'
import { presentWaitingFor } from '../views.ts'
import { type HistoryLimits, toOpenRun } from './describe-open-run.ts'
import { findPinnedBuild } from './find-pinned-build.ts'
import { readPendingTimers } from './read-timers.ts'
import { createTimeLimit, type TimeLimit } from './time-limit.ts'

/** Levels of child runs that are looked at, and child runs of each. */
const MAX_DEPTH = 4
const MAX_CHILDREN = 5

/** Temporal ends a run at 51,200 events or 50 MB. A run continues as new long before, unless child runs keep it from that. */
const NEARLY_FULL: HistoryLimits = { max_events: 40_000, max_bytes: 40_000_000 }

interface Deps {
  db: Database
  temporal: Temporal
  readStatus: StatusReader
  /** Above it a history counts as nearly full. */
  nearlyFull?: HistoryLimits
}

/** What is looked at for one answer. The polls of the workers are read once. */
interface Scope {
  limit: TimeLimit
  polls: Promise<QueuePolls | undefined>
}

export interface RunDiagnoser {
  /** Diagnoses jobs within one time limit. */
  open(limitMs: number): (row: JobSummary) => Promise<Diagnosis>
}

/** Gathers the facts of a run from its rows, Temporal and the workers' polls, in parallel, and names the cause. */
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
  const job = toJobFacts({ ...row, ...reading?.repaired, status: reading?.status ?? row.status })
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

/** The facts that need the description of the run. */
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
      ...toOpenRun(run, startedAt, deps.nearlyFull ?? NEARLY_FULL),
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
  const [asked, nodes, pauses] = await Promise.all([
    listOpenInterventions(tx, job_id),
    listOpenNodes(tx, job_id),
    listAudit(tx, { target: job_id, action: 'job.pause', limit: 1, offset: 0 }),
  ])
  const [paused] = pauses.rows
  return {
    questions: asked.map(record => Object.assign(presentWaitingFor(record, job_id), { excluded: record.excluded })),
    nodes,
    ...(paused && { pause: { by: paused.actor, at: paused.at } }),
  }
}

function splitNodes(nodes: OpenNodeRecord[]): Pick<RunFacts, 'waits' | 'working'> {
  const waits = nodes.filter(({ node_type }) => node_type === 'wait').map(toOpenWait)
  const working = nodes
    .filter(({ status }) => status === 'running')
    .map(({ key, at, started_at }) => ({ key, since: started_at ?? at }))
  return { waits, working }
}

const toJobFacts = (row: JobSummary & { status: JobStatus }): JobFacts => ({
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
