import type { NodeError } from '../nodes.ts'
import type { WaitingFor } from '../../people/intervention.ts'
import type { OpenWait } from './facts.ts'

/** How a sentence formats its parts: plain for the API, Markdown for the Temporal UI. */
export interface Marks {
  /** Formats user-supplied text. */
  text(value: string): string
  strong(value: string): string
  /** Formats a node key. */
  key(value: string): string
}

export const PLAIN: Marks = { text: value => value, strong: value => value, key: value => value }

const MAX_ASSIGNEES_CHARS = 500

/** Describes who must answer a task, at which node, and by when. */
export function describeQuestion(
  { title, assignees, due_at, node_id, quorum, approvals }: WaitingFor,
  marks: Marks = PLAIN,
): string {
  const people =
    assignees.length > 0
      ? assignees
          .map(name => marks.text(name))
          .join(', ')
          .slice(0, MAX_ASSIGNEES_CHARS)
      : 'anyone'
  const notes = [quorum > 1 && `${approvals} of ${quorum} approvals`, due_at && `due ${formatMoment(due_at)}`].filter(
    Boolean,
  )
  const more = notes.length > 0 ? ` (${notes.join(', ')})` : ''
  return `Waiting for ${marks.strong(people)} at ${marks.key(node_id)}: ${marks.text(title)}${more}`
}

/** Describes the time or event that a node waits for. */
export function describeWait({ key, until, event, deadline }: OpenWait, marks: Marks = PLAIN): string {
  const at = `Waiting at ${marks.key(key)}`
  if (until !== undefined) return `${at} until ${formatMoment(until)}`
  if (event === undefined) return at
  return `${at} for the event ${marks.text(event)}${deadline === undefined ? '' : ` until ${formatMoment(deadline)}`}`
}

export const PAUSED = 'Paused: no more nodes start until the run is resumed'

/** Lists the nodes that a run is executing. */
export function describeWork(keys: string[], marks: Marks = PLAIN): string {
  const [first, ...more] = keys
  if (first === undefined) return 'Running'
  return `Running ${marks.key(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`
}

export const describeError = ({ code, message }: NodeError): string => `${code}: ${message.slice(0, 300)}`

/** Formats a UTC time as `2026-01-31 12:00:00`. */
export const formatMoment = (at: string): string => at.slice(0, 19).replace('T', ' ')
