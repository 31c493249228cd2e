import type { Finding } from '../diagnosis.ts'
import type { RunFacts } from '../facts.ts'
import { describeWork } from '../sentences.ts'

const MAX_KEYS = 10
const QUEUED = 'Queued: waiting for the next free worker'

/** Finds a run that is progressing: an attempt or the run's own code is running, or a worker is about to pick it up. */
export function findWork({ run, job, working, last_poll, children }: RunFacts): Finding | undefined {
  if (typeof run === 'string') return undefined
  const { activities, task } = run
  const startedActivities = activities.filter(({ is_started }) => is_started)
  const isWorking = startedActivities.length > 0 || task?.is_started === true || children.some(isRunning)
  const isQueued = task !== undefined || activities.length > 0
  // Without a worker, queued work would not be picked up.
  if (!isWorking && !(isQueued && last_poll)) return undefined
  const keys = startedActivities.length > 0 ? startedActivities.map(({ key }) => key) : working.map(({ key }) => key)
  const since = [...startedActivities, ...working].find(({ key }) => key === keys[0])?.since
  return {
    cause: 'running',
    since: since ?? job.created_at,
    message: isWorking ? describeWork(keys) : QUEUED,
    action: 'No action needed',
    evidence: {
      nodes: keys.slice(0, MAX_KEYS),
      attempts_in_progress: startedActivities.length,
      queued: activities.length - startedActivities.length,
    },
  }
}

const isRunning = ({ diagnosis }: RunFacts['children'][number]): boolean => diagnosis?.cause === 'running'
