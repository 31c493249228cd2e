import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { INTERNAL, toFailure } from '../failure.ts'
import type { Database } from '../../../data/shared/database.ts'
import { SpanKind } from '@opentelemetry/api'
import { inRemoteSpan } from '../../../observability/spans.ts'
import { readTraceHeader } from '../../../workflows/shared/steps/trace-header.ts'

/**
 * Maximum number of attempts for a local activity that fails for an unknown reason. Without a limit, the run would
 * silently retry the activity forever.
 */
const MAX_UNKNOWN = 5

/**
 * Gives every activity failure a code, and decides in one place whether another attempt can succeed. A permanent
 * failure fails its node or the workflow task, and is visible in the job.
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

/** Uses the run's id as the request id in the audit log for all changes that the run's activities make. */
export const nameRequests =
  (db: Pick<Database, 'inRequest'>): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) => db.inRequest(info.workflowExecution?.workflowId ?? '', () => next(input)),
    },
  })

/** Runs a traced run's activities in spans with Temporal's standard span names. */
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
