import type { Right } from '../access/rights.ts'
import type { Label } from '../pathways/labels/labels.ts'

/** Statuses of unfinished jobs. */
export const OPEN_STATUSES = ['pending', 'running', 'waiting', 'paused'] as const
export const JOB_STATUSES = [...OPEN_STATUSES, 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
/** Sort orders of job lists. Cost includes child runs. The duration of an open job is counted up to now. */
export const JOB_ORDERS = ['newest', 'oldest', 'longest', 'costliest'] as const
export type JobOrder = (typeof JOB_ORDERS)[number]

/** Outcomes of jobs. A cancelled job has the status `failed`. */
export const JOB_OUTCOMES = ['completed', 'failed', 'cancelled'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
/** Outcome filters. `open`: the job has not ended. */
export const OUTCOME_FILTERS = ['open', ...JOB_OUTCOMES] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]

export const isTerminal = (status: JobStatus): boolean => status === 'completed' || status === 'failed'

/** The type of a job. Each kind has its own workflow. */
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
/** Returns whether jobs of the kind can pause. A pathway pauses between nodes, an agent between steps. */
export const canPause = (kind: JobKind): boolean => kind === 'pathway' || kind === 'neuron'

/** Returns whether jobs of the kind can be cancelled. A purge continues, because its target is already deleted. */
export const canCancel = (kind: JobKind): boolean => kind !== 'purge'

/** Reference to the job of a run. It is small because every activity input contains it. */
export interface JobRef {
  job_id: string
  workspace_id: string
  brain_id?: string
  /** Brains that the requester can access. If absent, all brains of the workspace. */
  brain_ids?: string[]
  /** Everyone behind the run, starting with its requester. They may not decide in nodes that ask other people. */
  people: string[]
  /** Permissions of the run: never more than the permissions of its caller, its origin and its parent run. */
  rights: Right[]
  /** Sources of untrusted content in the run's input. */
  labels?: Label[]
  /** Outermost job in a tree of runs. Equals `job_id` unless this is a child run. */
  root_job_id: string
  /** The parent run. Absent for the outermost run. */
  parent_job_id?: string
  /** Number of runs above this run. Default: 0. */
  depth?: number
  /** Location of this run below the root job: `review`, `each[3]/sub/fetch`. Absent for the outermost run. */
  root_key?: string
}

/** Maximum number of runs below a root job, at all levels. */
export const MAX_CHILD_RUNS = 10_000

type Position = Required<Pick<JobRef, 'parent_job_id' | 'depth' | 'root_key'>>

/**
 * Returns the location of a child run of this job.
 * @param key of the node or the call in this job
 */
export const buildParentFields = ({ job_id, depth = 0, root_key }: JobRef, key: string): Position => ({
  parent_job_id: job_id,
  depth: depth + 1,
  root_key: joinKeys(root_key, key),
})

/** Returns a node's key in the root job. The node's run is at `rootKey`. */
export const joinKeys = (rootKey: string | undefined, key: string): string =>
  rootKey === undefined ? key : `${rootKey}/${key}`
