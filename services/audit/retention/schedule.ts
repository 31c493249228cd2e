import { setTimeout as sleep } from 'node:timers/promises'
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { RETENTION_WORKFLOW } from '../../../workflows/audit/retention-messages.ts'
import type { Temporal } from '../../shared/temporal.ts'

interface Deps {
  temporal: Temporal
  config: Pick<Config, 'RETENTION_INTERVAL_HOURS'>
  log: Logger
}

const RETRY_MS = 5_000

/** Builds the schedule id. Services that share a namespace have separate task queues. */
export const buildScheduleId = ({ taskQueue }: Pick<Temporal, 'taskQueue'>): string => `retention-${taskQueue}`

/**
 * Creates the retention schedule, or updates it to match this process's settings. Retries until it succeeds or the
 * signal aborts.
 */
export async function scheduleRetention(stop: AbortSignal, { temporal, config, log }: Deps): Promise<void> {
  const options = buildSchedule(temporal, config)
  while (!stop.aborted) {
    try {
      await temporal.call(({ schedule }) => createOrUpdate(schedule, options))
      return
    } catch (err) {
      log.warn({ err }, 'failed to write the retention schedule; retrying')
      await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => undefined)
    }
  }
}

/** Returns the seconds since the last retention run started, or since the schedule was created. */
export async function readRetentionAge(temporal: Temporal): Promise<number> {
  const { info } = await temporal.call(({ schedule }) => schedule.getHandle(buildScheduleId(temporal)).describe())
  const last = info.recentActions.at(-1)?.takenAt ?? info.createdAt
  return Math.max(0, Date.now() - last.getTime()) / 1_000
}

async function createOrUpdate(schedules: Temporal['client']['schedule'], options: ScheduleOptions): Promise<void> {
  try {
    await schedules.create(options)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, action, policies } = options
    // Keep the state, because an operator may have paused the schedule.
    await schedules.getHandle(options.scheduleId).update(({ state }) => ({ spec, action, policies, state }))
  }
}

function buildSchedule(temporal: Temporal, { RETENTION_INTERVAL_HOURS: hours }: Deps['config']): ScheduleOptions {
  const scheduleId = buildScheduleId(temporal)
  return {
    scheduleId,
    spec: { intervals: [{ every: hours * 3_600_000 }] },
    action: {
      type: 'startWorkflow',
      workflowType: RETENTION_WORKFLOW,
      workflowId: scheduleId,
      taskQueue: temporal.taskQueue,
      args: [{}],
      staticSummary: 'Removes expired data',
    },
    // If a run takes longer than the interval, the next run is skipped. Runs missed for more than an hour are not
    // made up.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
  }
}
