/** How Postgres and Temporal differ about one object. */
export type DifferenceKind =
  /** An open run in Temporal without a job. */
  | 'no_job'
  /** An open run in Temporal whose job has ended. */
  | 'job_ended'
  /** An open job without a run in Temporal. */
  | 'no_run'
  /** An open job whose run in Temporal has ended. */
  | 'run_ended'
  /** An open run whose history contains a payload that cannot be decoded. */
  | 'run_unreadable'
  /** A waiting run whose job does not show the wait, so that nobody can end it. */
  | 'wait_not_recorded'
  /** An answer that a run has counted, and that Postgres does not have. */
  | 'answer_not_recorded'
  /** A recorded answer that the run has not counted. */
  | 'answer_not_counted'
  /** A pending webhook delivery whose workflow does not exist. */
  | 'delivery_stopped'
  /** A message in a channel whose workflow does not exist, before it showed the message. */
  | 'message_stopped'
  /** A trigger whose schedule in Temporal is missing or differs. */
  | 'schedule_differs'
  /** A schedule in Temporal without a trigger. */
  | 'schedule_without_trigger'

/** The result of a repair. `none`: no safe repair exists, or it was not requested. */
export type Repair = 'done' | 'none'

export interface Difference {
  kind: DifferenceKind
  /** Slug of the workspace, if it exists in Postgres. */
  workspace: string | null
  /** The id of the job, delivery, message or trigger. */
  id: string
  /** The task, person or outcome, if there is one. */
  detail: string | null
  repair: Repair
}

/** Why an effect is in doubt. */
export type DoubtReason =
  /** The call was started, and its outcome is not recorded. */
  | 'in_progress'
  /** Postgres has the outcome, but the run in Temporal does not, so the run repeats the call. */
  | 'not_in_temporal'
  /** The call may have been executed in the period whose data was lost. */
  | 'in_lost_period'

/** A call to another system that may have been executed without a recorded outcome. */
export interface EffectInDoubt {
  workspace: string | null
  /** Null for a webhook delivery or a scheduled time. */
  job_id: string | null
  /** The node key. `*` stands for any iteration or call, and a delivery or trigger has its id here. */
  key: string
  type: 'http' | 'tool' | 'model' | 'agent' | 'child_run' | 'webhook' | 'schedule'
  /** The method and URL, the tool, the agent, or the number of scheduled times. */
  target: string | null
  /** The key that a repeated call sends. It ends with `*` if the node key does. */
  idempotency_key: string | null
  reason: DoubtReason
  /** `possibly`: depends on how the run continues. */
  sent_again: 'yes' | 'possibly' | 'no'
}

export interface ReconcileReport {
  /** Time of the latest audit entry (ISO 8601). The restored data ends at this time or later. */
  latest_entry: string | null
  runs: {
    /** Number of open runs that both databases have, without differences. */
    agreeing: number
    /** Number of open jobs in Postgres. */
    in_postgres: number
    /** Number of open runs in Temporal. */
    in_temporal: number
  }
  /** Number of triggers with a schedule. */
  schedules: number
  differences: Difference[]
  effects_in_doubt: EffectInDoubt[]
}
