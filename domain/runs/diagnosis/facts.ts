import type { JobKind, JobStatus } from '../jobs.ts'
import type { NodeError } from '../nodes.ts'
import type { WaitingFor } from '../../people/intervention.ts'
import type { Diagnosis } from './diagnosis.ts'

/** What is known of a run. What could not be found in time is absent, and named in `missing`. Times are ISO 8601. */
export interface RunFacts {
  job: JobFacts
  /** What Temporal knows of the run; `unavailable` when Temporal did not answer in time. */
  run: OpenRun | 'absent' | 'unavailable'
  /** The open interventions of the run and its child runs. */
  questions: OpenQuestion[]
  /** Nodes that wait for a time or an event. */
  waits: OpenWait[]
  /** Other nodes that have started and not ended. */
  working: OpenNode[]
  /** The pause that is in effect. */
  pause?: { by?: string; at?: string }
  /** The time of the last poll by a worker that could take the run; null when none polls. */
  last_poll?: string | null
  /** The build whose workers could take the run: that with which it stays, or the current one. Absent for workers without. */
  build?: { id: string; is_pinned: boolean }
  /** Child runs that are open, the longest first. Those whose diagnosis is not known have none. */
  children: ChildFacts[]
  missing: MissingFact[]
}

export interface OpenQuestion extends WaitingFor {
  /** People behind the run who may not decide here. Absent where everyone may. */
  excluded?: string[]
}

/** A fact that was not found in time. */
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
  /** The run answers a turn of a thread. */
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
  /** When a wait for an event ends at the latest. */
  deadline?: string
}

export interface ChildFacts {
  job_id: string
  diagnosis?: Diagnosis
}

/** An open run as Temporal describes it. */
export interface OpenRun {
  /** `max_*`: above it the history is nearly full. */
  history: { events: number; bytes: number; max_events: number; max_bytes: number }
  /** The workflow task that is to be done. */
  task?: { is_started: boolean; attempt: number; since: string }
  activities: PendingActivity[]
  /** Number of child runs that are open. */
  child_count: number
  /** Present when the workflow task fails repeatedly. */
  problem?: { cause: string; message: string; since: string }
  /** Timers of the last events that have not fired, the latest first. */
  timers?: PendingTimer[]
}

export interface PendingActivity {
  /** Key of its node. */
  key: string
  is_started: boolean
  /** Number of the last attempt that began, from 1. 0 before the first. */
  attempt: number
  since: string
  last_error?: NodeError
  /** The last attempt ended because its worker sent no heartbeat any more. */
  is_heartbeat_lost?: boolean
  next_attempt_at?: string
  /** The worker of the last attempt. */
  worker?: string
}

export interface PendingTimer {
  /** Its purpose, such as `retry: fetch`. */
  summary: string
  since: string
  until: string
}
