import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { INTERNAL, toFailure } from '../failure.ts'
import type { Database } from '../../../data/shared/database.ts'
import { SpanKind } from '@opentelemetry/api'
import { inRemoteSpan } from '../../../observability/spans.ts'
import { readTraceHeader } from '../../../workflows/shared/steps/trace-header.ts'

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

/** What an activity changes has the id of its run as request id in the audit log. */
export const nameRequests =
  (db: Pick<Database, 'inRequest'>): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) => db.inRequest(info.workflowExecution?.workflowId ?? '', () => next(input)),
    },
  })

/** Runs the activities of a traced run in a span, with the name that Temporal gives to such spans. */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const parent = readTraceHeader(input.headers)
      if (!parent) return next(input)
      const { activityType, attempt, workflowExecution } = info
      const attributes = { 'ganglion.job_id': workflowExecution?.workflowId, 'ganglion.attempt': attempt }
      const span = { name: `RunActivity:${activityType}`, kind: SpanKind.INTERNAL, attributes }
      return inRemoteSpan(span, parent, () => next(input))
    },
  },
})
