import type { Cause, Finding } from '../diagnosis.ts'
import type { OpenRun, PendingActivity, PendingTimer, RunFacts } from '../facts.ts'
import { describeError, formatMoment } from '../sentences.ts'

/** The component responsible for an error code. */
const COMPONENTS: Record<string, string> = {
  SEARCH_UNAVAILABLE: 'elasticsearch',
  MODEL_UNAVAILABLE: 'models',
  MODEL_OVERLOADED: 'models',
  EMBEDDING_UNAVAILABLE: 'models',
  SPEECH_UNAVAILABLE: 'speech',
  UNAVAILABLE: 'a component of the service',
}

const RATE_LIMITS = new Set(['MODEL_RATE_LIMIT', 'SPEECH_RATE_LIMIT', 'HTTP_429', 'RATE_LIMIT'])

/** Summaries of timers in a run that cannot get a slot. */
const BUSY = /^(?:the workspace is busy|the workspace starts many runs)/
/** Summary of the timer between the first and second attempt of a step. */
const RETRY = /^retry: /

/** Finds an activity that failed and will be retried, or one that is waiting for a slot. */
export function findActivity({ run }: RunFacts): Finding | undefined {
  if (typeof run === 'string') return undefined
  const failed = run.activities.filter(({ last_error }) => last_error)
  // Causes that a person can fix come first.
  const [activity] = failed.toSorted((a, b) => weigh(a) - weigh(b))
  return activity ? describeRetry(activity) : findTimer(run)
}

const ORDER: Cause[] = ['heartbeat_lost', 'component_away', 'rate_limited', 'retrying']
const weigh = (activity: PendingActivity): number => ORDER.indexOf(classifyActivity(activity))

function classifyActivity({ is_heartbeat_lost, last_error }: PendingActivity): Cause {
  const code = last_error?.code ?? ''
  if (is_heartbeat_lost) return 'heartbeat_lost'
  if (code in COMPONENTS) return 'component_away'
  return RATE_LIMITS.has(code) ? 'rate_limited' : 'retrying'
}

function describeRetry(activity: PendingActivity): Finding {
  const { key, attempt, since, last_error = UNKNOWN, next_attempt_at, worker } = activity
  const next = next_attempt_at === undefined ? '' : `. Next attempt: ${formatMoment(next_attempt_at)}`
  const evidence = {
    node_key: key,
    attempt,
    last_error: { ...last_error },
    ...(next_attempt_at !== undefined && { next_attempt_at }),
    ...(worker !== undefined && { worker }),
  }
  const cause = classifyActivity(activity)
  switch (cause) {
    case 'heartbeat_lost':
      return {
        cause,
        since,
        message: `The worker running ${key} was lost in attempt ${attempt}${next}`,
        action: 'Check whether the worker was stopped or ran out of memory. Another worker will take the next attempt',
        evidence,
      }
    case 'component_away': {
      const component = COMPONENTS[last_error.code] ?? ''
      return {
        cause,
        since,
        message: `${key} needs ${component}, which is not responding (attempt ${attempt})${next}`,
        action: `Check the health of the service and restore ${component}. The step is retried automatically`,
        evidence: { component, ...evidence },
      }
    }
    case 'rate_limited':
      return {
        cause,
        since,
        message: `${key} exceeded a rate limit (attempt ${attempt}): ${describeError(last_error)}${next}`,
        action: "Wait, or raise the provider's limit",
        evidence: { limit: 'rate', ...evidence },
      }
    default:
      return {
        cause,
        since,
        message: `${key} failed ${attempt === 1 ? 'once' : `${attempt} times`} and will be retried: ${describeError(last_error)}${next}`,
        action: `Wait for the next attempt. If it cannot succeed, cancel the run and fork it with a correction, or retry it later`,
        evidence,
      }
  }
}

const UNKNOWN = { code: 'FAILED', message: 'failed' }

/** Between two activities of a node, the run has only a timer. */
function findTimer({ timers = [], activities }: OpenRun): Finding | undefined {
  const busy = timers.find(({ summary }) => BUSY.test(summary))
  if (busy) return describeBusyWorkspace(busy)
  const retry = activities.length === 0 ? timers.find(({ summary }) => RETRY.test(summary)) : undefined
  return retry && describeFirstRetry(retry)
}

const describeBusyWorkspace = ({ summary, since, until }: PendingTimer): Finding => ({
  cause: 'workspace_busy',
  since,
  message: 'The workspace has reached its limit of concurrent steps. The run retries automatically',
  action: 'Wait for other runs in the workspace, or add workers',
  evidence: { limit: 'slots', timer: summary, next_attempt_at: until },
})

function describeFirstRetry({ summary, since, until }: PendingTimer): Finding {
  const key = summary.replace(RETRY, '')
  return {
    cause: 'retrying',
    since,
    message: `${key} failed once and will be retried. Next attempt: ${formatMoment(until)}`,
    action: 'Wait for the next attempt',
    evidence: { node_key: key, attempt: 1, next_attempt_at: until },
  }
}
