import { defineSignal } from '@temporalio/workflow'

export const SCHEDULED_FIRING_WORKFLOW = 'scheduledFiring'

/** Input of the workflow that a trigger's schedule starts. */
export interface ScheduledFiringInput {
  workspace_id: string
  trigger_id: string
  /** Whether the workflow stays open until the run has ended, so that the schedule can detect an open run. */
  waits: boolean
  /** Whether the first attempt is a local activity. Absent in schedules written by an earlier version. */
  fires_locally?: boolean
  /** The run to wait for after continue-as-new. */
  job_id?: string
}

/** Outcome of a scheduled time, for the Temporal UI. */
export interface ScheduledFiringResult {
  decision: string
  reason?: string
  job_id?: string
}

/** The field in a run's memo that names the workflow to notify when the run ends. */
export const FIRED_BY = 'fired_by'

/** Notifies the workflow that fired a run that the run has ended. */
export const runEndedSignal = defineSignal('runEnded')
