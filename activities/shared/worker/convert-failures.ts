import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { INTERNAL, toFailure } from '../failure.ts'

/** Attempts at a local activity that fails for an unknown reason. A run would else repeat it forever, unseen. */
const MAX_UNKNOWN = 5

/**
 * Gives every failure of an activity a code, and decides once for all of them whether another attempt can succeed. What cannot
 * succeed fails its node, or the workflow task, which shows in the job.
 */
export const convertFailures =
  (log: Logger): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          if (error instanceof CancelledFailure || Context.current().cancellationSignal.aborted) throw error
          const failure = toFailure(error)
          if (failure.type !== INTERNAL) throw failure
          const { activityType: activity, attempt, isLocal, workflowExecution } = info
          log.error(
            { err: error, job_id: workflowExecution?.workflowId, activity, attempt },
            'activity failed unexpectedly',
          )
          throw isLocal && attempt >= MAX_UNKNOWN ? ApplicationFailure.nonRetryable(failure.message, INTERNAL) : failure
        }
      },
    },
  })
