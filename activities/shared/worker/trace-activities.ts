import { SpanKind } from '@opentelemetry/api'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { inRemoteSpan } from '../../../observability/spans.ts'
import { readTraceHeader } from '../../../workflows/shared/steps/trace-header.ts'

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
