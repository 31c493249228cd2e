import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobKind, JobStatus, WaitingFor } from '../domain/jobs.ts'

const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
/** The spec's status of an open run: `pending`, `running`, `waiting` or `paused`. Reads of jobs trust it over the row. */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** The search attributes that runs of every kind start with. */
export const runAttributes = (workspaceId: string, kind: JobKind): SearchAttributePair[] => [
  { key: WORKSPACE, value: workspaceId },
  { key: KIND, value: kind },
  { key: STATUS, value: 'running' },
]

/** The attributes of a run's present state: its status, who is awaited first and until when. */
export function stateAttributes(status: JobStatus, waitingFor: WaitingFor[]): SearchAttributeUpdatePair[] {
  const [first] = waitingFor.toSorted((a, b) => (a.due_at ?? '9').localeCompare(b.due_at ?? '9'))
  return [
    { key: STATUS, value: status },
    { key: WAITING_ON, value: first ? first.assignees.join(' ') || first.node_id : null },
    { key: DUE_AT, value: first?.due_at ? new Date(first.due_at) : null },
  ]
}
