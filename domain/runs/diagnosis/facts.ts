import type { JobKind, JobStatus } from '../jobs.ts'
import type { NodeError } from '../nodes.ts'
import type { WaitingFor } from '../../people/intervention.ts'
import type { Diagnosis } from './diagnosis.ts'

/**
 * Known facts about a run. Facts that could not be retrieved in time are absent and listed in `missing`. Times are
 * ISO 8601.
 */
export interface RunFacts {
  job: JobFacts
  /** Temporal's description of the run. `unavailable` if Temporal did not respond in time. */
  run: OpenRun | 'absent' | 'unavailable'
  /** Open tasks of the run and its child runs. */
  questions: OpenQuestion[]
  /** Nodes that wait for a time or an event. */
  waits: OpenWait[]
  /** Other nodes that have started but not ended. */
  working: OpenNode[]
  /** The current pause. */
  pause?: { by?: string; at?: string }
  /** Time of the last poll by a worker that could execute the run. Null if no worker polls. */
  last_poll?: string | null
  /**
   * The build whose workers can execute the run: the pinned build or the current one. Absent for unversioned workers.
   */
  build?: { id: string; is_pinned: boolean }
  /** Open child runs, longest-running first. `diagnosis` is absent if it is unknown. */
  children: ChildFacts[]
  missing: MissingFact[]
}

export interface OpenQuestion extends WaitingFor {
  /** People behind the run who may not decide here. Absent if everyone may decide. */
  excluded?: string[]
}

/** A fact that could not be retrieved in time. */
export type MissingFact = 'history' | 'workers' | 'children'

export interface JobFacts {
  job_id: string
  kind: JobKind
  status: JobStatus
  created_at: string
  finished_at?: string | null
  failed_code?: string | null
  failed_reason?: string | null
  failed_node_key?: string | null
  /** Whether the run answers a turn of a thread. */
  has_turn?: boolean
  current_step?: string | null
}

export interface OpenNode {
  key: string
  since: string
}

export interface OpenWait extends OpenNode {
  until?: string
  event?: string
  /** When a wait for an event times out. */
  deadline?: string
}

export interface ChildFacts {
  job_id: string
  diagnosis?: Diagnosis
}

/** An open run as described by Temporal. */
export interface OpenRun {
  /** `max_*`: limits above which the history is nearly full. */
  history: { events: number; bytes: number; max_events: number; max_bytes: number }
  /** The pending workflow task. */
  task?: { is_started: boolean; attempt: number; since: string }
  activities: PendingActivity[]
  /** Number of open child runs. */
  child_count: number
  /** Set if the workflow task fails repeatedly. */
  problem?: { cause: string; message: string; since: string }
  /** Timers in the latest events that have not fired yet, most recent first. */
  timers?: PendingTimer[]
}

export interface PendingActivity {
  /** Node key. */
  key: string
  is_started: boolean
  /** Number of the last started attempt, counted from 1. 0 before the first attempt. */
  attempt: number
  since: string
  last_error?: NodeError
  /** Whether the last attempt ended because its worker stopped sending heartbeats. */
  is_heartbeat_lost?: boolean
  next_attempt_at?: string
  /** The worker of the last attempt. */
  worker?: string
}

export interface PendingTimer {
  /** Purpose of the timer, such as `retry: fetch`. */
  summary: string
  since: string
  until: string
}
