import type { Right } from '../access/rights.ts'
import type { Label } from '../pathways/labels/labels.ts'

/** The statuses of jobs that have not ended. */
export const OPEN_STATUSES = ['pending', 'running', 'waiting', 'paused'] as const
export const JOB_STATUSES = [...OPEN_STATUSES, 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
/** Orders of lists of jobs. Cost includes child runs; an open job has taken as long as it is open. */
export const JOB_ORDERS = ['newest', 'oldest', 'longest', 'costliest'] as const
export type JobOrder = (typeof JOB_ORDERS)[number]

/** How a job has ended. The status of a cancelled job is `failed`. */
export const JOB_OUTCOMES = ['completed', 'failed', 'cancelled'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
/** Filters of outcomes: `open` is a job that has not ended. */
export const OUTCOME_FILTERS = ['open', ...JOB_OUTCOMES] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]

export const isTerminal = (status: JobStatus): boolean => status === 'completed' || status === 'failed'

/** The type of a job. Each kind has a separate workflow. */
export type JobKind = (typeof JOB_KINDS)[number]
export const JOB_KINDS = [
  'pathway',
  'neuron',
  'ingest',
  'search',
  'discover',
  'tool',
  'transcribe',
  'meeting',
  'purge',
  'bulk',
] as const
/** Whether jobs of the kind can pause: a pathway pauses between nodes, a neuron between steps. */
export const canPause = (kind: JobKind): boolean => kind === 'pathway' || kind === 'neuron'

/** Whether a cancel stops jobs of the kind. A purge goes on, because its target is deleted already. */
export const canCancel = (kind: JobKind): boolean => kind !== 'purge'

/** Reference to the job of a run. It is small because it is part of each activity's input. */
export interface JobRef {
  job_id: string
  workspace_id: string
  brain_id?: string
  /** Brains that the requester may see; all of the workspace if absent. */
  brain_ids?: string[]
  /** Everyone behind the run, the person of its requester first. They may not decide in it where a node asks others. */
  people: string[]
  /** What the run may do: never more than its caller, its origin and the run above it. */
  rights: Right[]
  /** Sources of untrusted content that the run was started with. */
  labels?: Label[]
  /** Outermost job of a tree of runs; equals `job_id` unless this is a child run. */
  root_job_id: string
  /** The run that started this one; absent for the outermost run. */
  parent_job_id?: string
  /** Number of runs above this one; 0 if absent. */
  depth?: number
  /** The place of this run below the root job: `review`, `each[3]/sub/fetch`. Absent for the outermost run. */
  root_key?: string
}

/** Limit of the runs below a root job, at all levels. */
export const MAX_CHILD_RUNS = 10_000

type Position = Required<Pick<JobRef, 'parent_job_id' | 'depth' | 'root_key'>>

/**
 * Returns the position of a child run of this job.
 * @param key of the node or the call in this job
 */
export const buildParentFields = ({ job_id, depth = 0, root_key }: JobRef, key: string): Position => ({
  parent_job_id: job_id,
  depth: depth + 1,
  root_key: joinKeys(root_key, key),
})

/** Returns the key in the root job of a node whose run is at `rootKey`. */
export const joinKeys = (rootKey: string | undefined, key: string): string =>
  rootKey === undefined ? key : `${rootKey}/${key}`
