import type { Logger } from 'pino'
import type { ScheduledRuns } from '../../services/triggers/schedules/scheduled-runs.ts'
import type { TriggerActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface TriggerDeps {
  scheduledRuns: ScheduledRuns
  log: Logger
}

/** Creates the activities for workflows that schedules start. */
export function createTriggerActivities({ scheduledRuns, log }: TriggerDeps): TriggerActivities {
  const settings = { log, subject: 'scheduled firing' }
  return {
    fireScheduled: withHeartbeat(settings, ({ job, trigger_id, scheduled_at }) =>
      scheduledRuns.fire(job, trigger_id, scheduled_at),
    ),
    isRunOpen: withHeartbeat(settings, ({ job, run_id }) => scheduledRuns.isOpen(job.workspace_id, run_id)),
    cancelFiredRun: withHeartbeat(settings, ({ job, trigger_id, run_id }) =>
      scheduledRuns.cancel(job.workspace_id, trigger_id, run_id),
    ),
  }
}
