import type {
  ActivityInput,
  LocalActivityInput,
  WorkflowInterceptorsFactory,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import { getActivityIds } from './shared/activity-ids.ts'
import { summarizeActivity } from './shared/activity-summaries.ts'
import { untilAdmitted } from './shared/admission.ts'
import { getLocalQueue } from './shared/local-queue.ts'
import { type AdmissionPlace, withPlaceHeader } from './shared/place-header.ts'
import { createRunTracing } from './tracing.ts'

/** Names activities for operators, queues the local activities of a run, schedules refused activities again, and traces. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { inbound, outbound } = createRunTracing()
  return { inbound: [inbound], outbound: [outbound, ACTIVITIES] }
}

const ACTIVITIES: WorkflowOutboundCallsInterceptor = {
  scheduleActivity: (input, next) => {
    const summarized = withSummary(input)
    return untilAdmitted(place => next(withId(withPlace(summarized, place))))
  },
  scheduleLocalActivity: (input, next) => {
    const summarized = withSummary(input)
    return getLocalQueue().add(() => next(summarized))
  },
}

const withPlace = (input: ActivityInput, place?: AdmissionPlace): ActivityInput =>
  place ? { ...input, headers: withPlaceHeader(input.headers, place) } : input

/** An activity without an id has that of its type. */
function withId(input: ActivityInput): ActivityInput {
  const { activityType, options } = input
  return { ...input, options: { ...options, activityId: getActivityIds().next(options.activityId ?? activityType) } }
}

function withSummary<Input extends ActivityInput | LocalActivityInput>(input: Input): Input {
  const { activityType, args, options } = input
  return { ...input, options: { ...options, summary: summarizeActivity(activityType, args, options.summary) } }
}
