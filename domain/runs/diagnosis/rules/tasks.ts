import type { Finding } from '../diagnosis.ts'
import type { OpenRun, RunFacts } from '../facts.ts'

/** A worker polls at least once a minute. After this time without a poll, none works. */
export const MAX_SILENCE_MS = 90_000

const MISMATCH = 'NON_DETERMINISTIC_ERROR'

/** What keeps the code of a run from running at all. */
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
    return { message: 'No worker polls its queue', action: 'Start a worker: the run goes on from where it is' }
  const action = `Start a worker of the build ${build.id}: the run goes on from where it is`
  return build.is_pinned
    ? { message: `It stays with the build ${build.id}, of which no worker polls its queue`, action }
    : { message: `No worker of the current build, ${build.id}, polls its queue`, action }
}

/** The time since when something of the run waits for a worker. */
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
      message: 'The code of the worker no longer fits its history',
      action:
        'Deploy code that fits: the code from before, or the new one with a patch. The run then goes on by itself',
      evidence,
    }
  return {
    cause: 'workflow_task_failing',
    since,
    message: `Its workflow task fails again and again: ${message}`,
    action: 'Look at the log of the worker and deploy a correction: the run then goes on by itself. Or cancel it',
    evidence,
  }
}

function findFullHistory({ history }: OpenRun, since: string): Finding | undefined {
  const { events, bytes, max_events, max_bytes } = history
  if (events < max_events && bytes < max_bytes) return undefined
  return {
    cause: 'history_full',
    since,
    message: `Its history is nearly full: ${events} events, ${Math.round(bytes / 1e6)} MB`,
    action: 'Let its child runs end, or fork it: at 51,200 events or 50 MB Temporal terminates it',
    evidence: { events, bytes },
  }
}
