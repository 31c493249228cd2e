import type {
  ActivityInput,
  LocalActivityInput,
  TimerInput,
  WorkflowInterceptorsFactory,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import { getActivityIds, summarizeActivity } from './steps/activity-summaries.ts'
import { untilAdmitted } from './fairness/admission.ts'
import { getLocalQueue } from './steps/local-queue.ts'
import { perRun } from './run/per-run.ts'
import { type AdmissionPlace, withPlaceHeader } from './fairness/place-header.ts'
import { createRunTracing } from './tracing.ts'

/**
 * Names activities for operators, queues a run's local activities, reschedules rejected activities, and traces runs.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { inbound, outbound } = createRunTracing()
  return { inbound: [inbound], outbound: [outbound, ACTIVITIES] }
}

const ACTIVITIES: WorkflowOutboundCallsInterceptor = {
  scheduleActivity: (input, next) => {
    const summarized = withSummary(input)
    return untilAdmitted(place => next(withId(withPlace(summarized, place))))
  },
  scheduleLocalActivity: async (input, next) => {
    const summarized = withSummary(input)
    try {
      return await getLocalQueue().add(() => next(summarized))
    } catch (error) {
      if (error instanceof Error && error.name === 'LocalActivityDoBackoff')
        getRetryTimer().name = `retry: ${summarized.options.summary ?? input.activityType}`
      throw error
    }
  },
  startTimer: (input, next) => next(nameRetry(input)),
}

/** Name of the next timer that the SDK starts between two attempts of a local activity. */
const getRetryTimer = perRun((): { name?: string } => ({}))

/** Names the retry timer for operators and the diagnosis. All other timers already have a summary. */
function nameRetry(input: TimerInput): TimerInput {
  const { name } = getRetryTimer()
  if (name === undefined || input.options?.summary !== undefined) return input
  getRetryTimer().name = undefined
  return { ...input, options: { ...input.options, summary: name } }
}

const withPlace = (input: ActivityInput, place?: AdmissionPlace): ActivityInput =>
  place ? { ...input, headers: withPlaceHeader(input.headers, place) } : input

/** Sets the activity type as the id if an activity has none. */
function withId(input: ActivityInput): ActivityInput {
  const { activityType, options } = input
  return { ...input, options: { ...options, activityId: getActivityIds().next(options.activityId ?? activityType) } }
}

function withSummary<Input extends ActivityInput | LocalActivityInput>(input: Input): Input {
  const { activityType, args, options } = input
  return { ...input, options: { ...options, summary: summarizeActivity(activityType, args, options.summary) } }
}
