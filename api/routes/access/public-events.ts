import { createHash } from 'node:crypto'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { PublicEvent } from '../../../contract/access/public-event.ts'

type InterventionEvent = Extract<JobEvent, { type: 'intervention' }>

interface Viewer {
  /** Name of the visitor. */
  actor: string
  /** Ids of the visitor's tasks that already exist when the stream starts. */
  tasks: string[]
}

/** Returns an event without internal details: no node, host, address, person or response from another service. */
export function createPresentPublic(jobId: string, { actor, tasks }: Viewer) {
  const taskIds = new Set(tasks)

  /** Presents a task event. Omits other people's tasks. */
  function presentTask({ change, interventionId, assignees, task, by, decided: isDecided, at }: InterventionEvent) {
    const head = { type: 'task' as const, interventionId, at }
    const isAsked = assignees?.includes(actor) ?? false
    if (ASKING.has(change) && isAsked) {
      taskIds.add(interventionId)
      return { ...head, change: 'opened' as const, task }
    }
    const isOver = ENDING.has(change) || (change === 'answered' && (isDecided === true || by === actor))
    const isOthers = ASKING.has(change) && !isAsked
    return (isOver || isOthers) && taskIds.has(interventionId) ? { ...head, change: 'closed' as const } : undefined
  }

  return (event: JobEvent): PublicEvent | undefined => {
    if (event.type === 'token')
      return { type: 'token', token: event.token, key: event.key && hashKey(jobId, event.key) }
    if (event.type === 'attempt_reset')
      return { type: 'attempt_reset', key: hashKey(jobId, event.key), attempt: event.attempt }
    if (event.type === 'status') return { type: 'status', status: event.status }
    if (event.type === 'intervention') return presentTask(event)
    if (event.type === 'error') return { type: 'error', code: 'RUN_FAILED', message: `Run ${jobId} failed` }
    return event.type === 'gap' || event.type === 'complete' ? event : undefined
  }
}

type Change = InterventionEvent['change']

/** Changes that ask the named assignees to answer. */
const ASKING = new Set<Change>(['opened', 'escalated', 'reassigned', 'delegated'])
const ENDING = new Set<Change>(['timed_out', 'cancelled'])

const hashKey = (jobId: string, key: string): string =>
  createHash('sha256').update(`${jobId} ${key}`).digest('base64url').slice(0, 8)
