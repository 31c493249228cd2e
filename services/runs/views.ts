import type { ForkRecord } from '../../data/runs/job-forks-store.ts'
import type { JobMigration } from '../../data/runs/job-migrations-store.ts'
import type { MigrationView } from '../../contract/runs/migration.ts'
import type { InterventionChangeRecord } from '../../data/people/intervention-changes-store.ts'
import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import type { NodeRecord } from '../../data/runs/job-nodes-store.ts'
import { countApprovals, findRefusal } from '../../domain/people/answering.ts'
import { isTerminal, type JobStatus } from '../../domain/runs/jobs.ts'
import type { NodeError } from '../../domain/runs/nodes.ts'
import { ACTIONS, type Vote, type WaitingFor } from '../../domain/people/intervention.ts'
import type { JobRecord, JobSummary } from '../../data/runs/jobs-store.ts'
import { isVisitorName, type Principal } from '../../domain/access/principal.ts'
import type { Retry } from './status/retries.ts'
import type { ChangeView, InterventionView } from '../../contract/people/intervention.ts'
import type { ForkView } from '../../contract/runs/fork.ts'
import type { JobDetail, JobSummaryView, JobView } from '../../contract/runs/job.ts'
import type { NodeView } from '../../contract/runs/node.ts'

/** Returns a job as the API presents it, without absent fields. */
export function presentJob(
  row: JobRecord,
  status: JobStatus,
  open: InterventionRecord[],
  temporalUrl: string,
): JobView {
  return {
    ...presentSummary(row, status, open, temporalUrl),
    ...(status === 'completed' && { result: row.result }),
    ...(row.receipt && { receipt: row.receipt }),
  }
}

/** Returns a job as lists present it. */
export function presentSummary(
  row: JobSummary,
  status: JobStatus,
  open: InterventionRecord[],
  temporalUrl: string,
): JobSummaryView {
  const waiting = open.map(record => presentWaitingFor(record, row.job_id))
  const isOpen = status === 'waiting' || status === 'paused' || status === 'running'
  return {
    job_id: row.job_id,
    status,
    // An open job's status comes from Temporal, because its row may be outdated.
    outcome: isTerminal(status) ? row.outcome : null,
    progress: row.progress,
    current_step: row.current_step,
    ...(status === 'failed' && { failedReason: row.failed_reason ?? 'failed', error: presentError(row) }),
    ...(row.outcome === 'cancelled' && row.cancelled_by && { cancelled_by: row.cancelled_by }),
    ...(row.compensation_failed && { compensation_failed: true }),
    ...(isOpen && waiting.length > 0 && { waitingFor: waiting }),
    created_at: row.created_at,
    processed_at: row.processed_at,
    finished_at: row.finished_at,
    purged_at: row.purged_at,
    kind: row.kind,
    title: row.title,
    pathway_id: row.pathway_id,
    pathway_title: row.pathway_title,
    pathway_version: row.pathway_version,
    asset_id: row.asset_id,
    receptor_id: row.receptor_id,
    neuron_id: row.neuron_id,
    neuron_version: row.neuron_version,
    trigger_id: row.trigger_id,
    trace_id: row.trace_id,
    brain_id: row.brain_id,
    root_job_id: row.root_job_id,
    parent_job_id: row.parent_job_id,
    requester: row.requester,
    people: row.people,
    ...(!isTerminal(status) && row.cancelled_by && { cancel_requested_by: row.cancelled_by }),
    usage: row.usage,
    temporal_url: temporalUrl,
  }
}

/** A running node includes the error from its last attempt. A node that has ended in the meantime has no retry. */
export function presentNode({ error, failed_attempts, ...record }: NodeRecord, retry: Retry | undefined): NodeView {
  const node = { ...record, ...presentFailedAttempts(failed_attempts) }
  if (node.status !== 'running') return { ...node, ...(error && { error }) }
  const attempt = Math.max(node.attempt ?? 1, retry?.attempt ?? 1)
  return { ...node, ...(error && { last_error: error }), ...retry, attempt }
}

/** Returns a job's original run and forks, as the API presents them. */
export function presentForks(
  fork: ForkRecord | undefined,
  forks: ForkRecord[],
): Pick<JobDetail, 'forked_from' | 'forks'> {
  return {
    ...(fork && { forked_from: presentFork(fork, fork.origin_job_id) }),
    ...(forks.length > 0 && { forks: forks.map(record => presentFork(record, record.job_id)) }),
  }
}

const presentFork = (
  { kind, from_key, actor, reason, changes, decisions, created_at }: ForkRecord,
  job_id: string,
): ForkView => ({
  job_id,
  kind,
  ...(from_key !== null && { from_node: from_key }),
  by: actor,
  ...(reason !== null && { reason }),
  changes,
  decisions,
  created_at,
})

export const presentMigrations = (moves: JobMigration[]): Pick<JobDetail, 'migrations'> =>
  moves.length === 0 ? {} : { migrations: moves.map(presentMigration) }

const presentMigration = ({ actor, undone_by, undone_at, ...move }: JobMigration): MigrationView => ({
  ...move,
  by: actor,
  ...(undone_by !== null && { undone_by }),
  ...(undone_at !== null && { undone_at }),
})

function presentFailedAttempts(attempts: NodeRecord['failed_attempts'] = {}): Pick<NodeView, 'failed_attempts'> {
  // Numeric keys are iterated in ascending order.
  const listed = Object.entries(attempts).map(([number, { at, code, message }]) => ({
    attempt: Number(number),
    at,
    code,
    message,
  }))
  return listed.length > 0 ? { failed_attempts: listed } : {}
}

function presentError({ failed_code, failed_reason, failed_node_key }: JobSummary): NodeError {
  const error = { code: failed_code ?? 'FAILED', message: failed_reason ?? 'failed' }
  return failed_node_key === null ? error : { ...error, node_key: failed_node_key }
}

/** Presents an open intervention in a job record. */
export function presentWaitingFor(record: InterventionRecord, readJobId: string): WaitingFor {
  return {
    interventionId: record.id,
    ...(record.job_id !== readJobId && { job_id: record.job_id }),
    kind: record.kind,
    title: record.title,
    ...(record.description !== null && { description: record.description }),
    node_id: record.node_id,
    actions: ACTIONS[record.kind],
    ...(record.form && { form: record.form }),
    ...(record.questions && { questions: record.questions }),
    ...(record.context !== null && { context: record.context }),
    assignees: record.assignees,
    quorum: record.quorum,
    approvals: countApprovals(record.votes, record.excluded),
    ...(record.due_at && { due_at: record.due_at }),
    opened_at: record.opened_at,
    ...(record.pending_answers && {
      pending_answers: record.pending_answers.map(({ action, by, at }) => ({ action, by, at })),
    }),
  }
}

/**
 * Returns whether a caller's role or credential may answer any interventions. Visitors answer only those assigned to
 * them.
 */
export const mayAnswer = ({ permissions, actor }: Principal): boolean =>
  permissions.has('interventions:answer') || isVisitorName(actor)

const NO_PERMISSION = 'the role or the credential has no permission to answer'

/**
 * Presents an intervention as the caller sees it.
 * @param absent absent people for whom the caller is the substitute
 */
export function presentIntervention(
  record: InterventionRecord,
  principal: Principal,
  absent: string[],
): InterventionView {
  const { handling } = record
  const isOpen = record.status === 'open'
  const answerer = { ...principal, stands_in_for: absent }
  const refusal = mayAnswer(principal) ? findRefusal({ ...record, ...handling }, answerer) : NO_PERMISSION
  const claim = isOpen ? handling?.claim : undefined
  return {
    ...presentWaitingFor(record, ''),
    job_id: record.job_id,
    root_job_id: record.root_job_id,
    ...(record.root_job && { root_job: record.root_job }),
    status: record.status,
    ...(record.decision && { decision: presentVote(record.decision) }),
    votes: record.votes.map(({ action, by, at, comment, on_behalf_of }) => ({
      action,
      by,
      at,
      ...(on_behalf_of !== undefined && { on_behalf_of }),
      ...(comment !== undefined && { comment }),
    })),
    ...(record.closed_at && { closed_at: record.closed_at }),
    ...(isOpen && refusal !== undefined && { refusal }),
    ...(claim && { claimed_by: claim.by, claimed_at: claim.at }),
    revision: handling?.revision ?? 0,
    ...(handling && handling.delegations.length > 0 && { delegations: handling.delegations }),
    shown_hash: record.shown_hash,
  }
}

export const presentChange = ({ change, by, assignees, comment, at }: InterventionChangeRecord): ChangeView => ({
  change,
  at,
  ...(by !== null && { by }),
  ...(assignees && { assignees }),
  ...(comment !== null && { comment }),
})

const presentVote = ({
  person: _person,
  via: _via,
  answered_as: _as,
  covers: _covers,
  ...vote
}: Vote): InterventionView['decision'] => vote
