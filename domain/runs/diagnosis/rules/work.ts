import type { Finding } from '../diagnosis.ts'
import type { RunFacts } from '../facts.ts'
import { describeWork } from '../sentences.ts'

const MAX_KEYS = 10
const QUEUED = 'Queued: a worker takes it next'

/** A run that works: an attempt or its own code is in progress, or a worker is about to take it. */
export function findWork({ run, job, working, last_poll, children }: RunFacts): Finding | undefined {
  if (typeof run === 'string') return undefined
  const { activities, task } = run
  const startedActivities = activities.filter(({ is_started }) => is_started)
  const isWorking = startedActivities.length > 0 || task?.is_started === true || children.some(isRunning)
  const isQueued = task !== undefined || activities.length > 0
  // Without a worker nothing that is queued would be taken.
  if (!isWorking && !(isQueued && last_poll)) return undefined
  const keys = startedActivities.length > 0 ? startedActivities.map(({ key }) => key) : working.map(({ key }) => key)
  const since = [...startedActivities, ...working].find(({ key }) => key === keys[0])?.since
  return {
    cause: 'running',
    since: since ?? job.created_at,
    message: isWorking ? describeWork(keys) : QUEUED,
    action: 'Nothing is to be done',
    evidence: {
      nodes: keys.slice(0, MAX_KEYS),
      attempts_in_progress: startedActivities.length,
      queued: activities.length - startedActivities.length,
    },
  }
}

const isRunning = ({ diagnosis }: RunFacts['children'][number]): boolean => diagnosis?.cause === 'running'
