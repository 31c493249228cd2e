import { defineSignal } from '@temporalio/workflow'

export const SCHEDULED_FIRING_WORKFLOW = 'scheduledFiring'

/** What the schedule of a trigger starts. */
export interface ScheduledFiringInput {
  workspace_id: string
  trigger_id: string
  /** Whether it stays open until the run has ended, so that the schedule knows that one is open. */
  waits: boolean
  /** Whether the first attempt is a local activity. Absent in schedules that an older version has written. */
  fires_locally?: boolean
  /** The run to wait for, after continue-as-new. */
  job_id?: string
}

/** What became of the time, for the Temporal UI. */
export interface ScheduledFiringResult {
  decision: string
  reason?: string
  job_id?: string
}

/** The field of a run's memo that names the workflow to tell about its end. */
export const FIRED_BY = 'fired_by'

/** A run tells the workflow that fired it that it has ended. */
export const runEndedSignal = defineSignal('runEnded')
