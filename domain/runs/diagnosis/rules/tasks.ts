import type { Finding } from '../diagnosis.ts'
import type { OpenRun, RunFacts } from '../facts.ts'

/** A worker polls at least once a minute. If there was no poll for this long, no worker is running. */
export const MAX_SILENCE_MS = 90_000

const MISMATCH = 'NON_DETERMINISTIC_ERROR'

/** Finds causes that prevent the run's code from executing at all. */
export function findTask({ run, job, last_poll, build }: RunFacts, at: string): Finding | undefined {
  if (typeof run === 'string') return undefined
  return findMissingWorker(run, { last_poll, build }, at) ?? findProblem(run) ?? findFullHistory(run, job.created_at)
}

function findMissingWorker(
  run: OpenRun,
  { last_poll, build }: Pick<RunFacts, 'last_poll' | 'build'>,
  at: string,
): Finding | undefined {
  if (last_poll === undefined || (last_poll !== null && Date.parse(at) - Date.parse(last_poll) < MAX_SILENCE_MS))
    return undefined
  const since = findQueuedSince(run, at)
  if (since === undefined) return undefined
  return {
    cause: 'no_worker',
    since,
    ...describeMissing(build),
    evidence: { queued_since: since, last_poll, ...(build && { build: build.id }) },
  }
}

function describeMissing(build: RunFacts['build']): Pick<Finding, 'message' | 'action'> {
  if (!build)
    return {
      message: 'No worker is polling the task queue',
      action: 'Start a worker. The run then resumes automatically',
    }
  const action = `Start a worker with build ${build.id}. The run then resumes automatically`
  return build.is_pinned
    ? {
        message: `The run is pinned to build ${build.id}, but no worker with this build is polling the task queue`,
        action,
      }
    : { message: `No worker with the current build, ${build.id}, is polling the task queue`, action }
}

/** Returns when the run started waiting for a worker, or undefined. */
function findQueuedSince({ task, activities }: OpenRun, at: string): string | undefined {
  if (task && !task.is_started) return task.since
  return activities.find(({ is_started, next_attempt_at = at }) => !is_started && next_attempt_at <= at)?.since
}

function findProblem({ problem, task }: OpenRun): Finding | undefined {
  if (!problem) return undefined
  const { cause, message, since } = problem
  const evidence = { cause, message, ...(task && { attempt: task.attempt }) }
  if (cause === MISMATCH)
    return {
      cause: 'code_mismatch',
      since,
      message: "The worker's code is incompatible with the run's history",
      action:
        'Deploy compatible code: the previous version, or the new one with a patch. The run then resumes automatically',
      evidence,
    }
  return {
    cause: 'workflow_task_failing',
    since,
    message: `The workflow task keeps failing: ${message}`,
    action: 'Check the worker log and deploy a fix. The run then resumes automatically. Or cancel the run',
    evidence,
  }
}

function findFullHistory({ history }: OpenRun, since: string): Finding | undefined {
  const { events, bytes, max_events, max_bytes } = history
  if (events < max_events && bytes < max_bytes) return undefined
  return {
    cause: 'history_full',
    since,
    message: `The run history is nearly full: ${events} events, ${Math.round(bytes / 1e6)} MB`,
    action: 'Wait until its child runs end, or fork the run. Temporal terminates it at 51,200 events or 50 MB',
    evidence: { events, bytes },
  }
}
