import {
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { defineSearchAttributeKey } from '@temporalio/common'
import type { TriggerActivities } from '../../activities/types.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import { nonCancellable } from '../shared/scopes.ts'
import { continueWithCurrentBuild } from '../shared/versioning.ts'
import { runEndedSignal, type ScheduledFiringInput, type ScheduledFiringResult } from './scheduled-firing-messages.ts'
import { waitUntil } from '../shared/turns.ts'

/** The scheduled time without jitter. The server sets it. */
const SCHEDULED_AT = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME')

/** A missed firing is worse than a late one, so each step is retried until it succeeds. */
const { fireScheduled, isRunOpen, cancelFiredRun } = proxyActivities<TriggerActivities>({
  startToCloseTimeout: '1 minute',
  ...HEARTBEATED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' },
})

/** A single attempt that saves round trips to the server, because many schedules are due at the same moment. */
const local = proxyLocalActivities<Pick<TriggerActivities, 'fireScheduled'>>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
})

/** Interval for polling the run, in case its signal was lost or it was terminated. */
const POLL_MS = 600_000

/**
 * Fires a trigger for a scheduled time, and stays open as long as the run that it started. Temporal uses this to
 * apply the overlap policy to the next time. A cancellation, requested by the overlap policy `cancel_other`, cancels
 * the run.
 */
export async function scheduledFiring(input: ScheduledFiringInput): Promise<ScheduledFiringResult> {
  let hasEnded = false
  setHandler(runEndedSignal, () => void (hasEnded = true))
  const { workflowId, typedSearchAttributes, startTime } = workflowInfo()
  const job = { job_id: workflowId, workspace_id: input.workspace_id }
  const scheduled_at = (typedSearchAttributes.get(SCHEDULED_AT) ?? startTime).toISOString()
  const firing =
    input.job_id === undefined
      ? await nonCancellable(() => fire(input, { job, trigger_id: input.trigger_id, scheduled_at }))
      : { decision: 'fired', reason: null, job_id: input.job_id, has_ended: false }
  const { decision, reason, job_id } = firing
  setCurrentDetails(
    `**${decision}**${job_id === null ? '' : `: \`${job_id}\``}${reason === null ? '' : `\n\n${reason}`}`,
  )
  const result = { decision, ...(reason !== null && { reason }), ...(job_id !== null && { job_id }) }
  if (decision !== 'fired' || job_id === null || !input.waits || firing.has_ended === true) return result
  try {
    while (!(await waitUntil(() => hasEnded, POLL_MS)) && (await isRunOpen({ job, run_id: job_id })))
      if (workflowInfo().continueAsNewSuggested)
        await continueWithCurrentBuild<typeof scheduledFiring>({ ...input, job_id })
  } catch (error) {
    if (!isCancellation(error)) throw error
    await nonCancellable(async () => {
      await cancelFiredRun({ job, trigger_id: input.trigger_id, run_id: job_id })
      while (!(await waitUntil(() => hasEnded, '30 seconds')) && (await isRunOpen({ job, run_id: job_id })));
    })
    throw error
  }
  return result
}

/** Fires the trigger, with as many retries as needed. */
async function fire(
  { fires_locally = false }: ScheduledFiringInput,
  time: Parameters<TriggerActivities['fireScheduled']>[0],
): ReturnType<TriggerActivities['fireScheduled']> {
  if (!fires_locally) return fireScheduled(time)
  try {
    return await local.fireScheduled(time)
  } catch {
    // The cause of a local activity's failure is thrown as is.
    return fireScheduled(time)
  }
}
