import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobKind, JobStatus, WaitingFor } from '../domain/jobs.ts'

export const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
/** The status of an open run: `pending`, `running`, `waiting` or `paused`. Reads of jobs prefer it to the row. */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** Builds the search attributes that all runs start with. */
export const buildRunAttributes = (workspaceId: string, kind: JobKind): SearchAttributePair[] => [
  { key: WORKSPACE, value: workspaceId },
  { key: KIND, value: kind },
  { key: STATUS, value: 'running' },
]

/** Builds the search attributes of a run's state: its status, the assignees of the next due intervention, its due time. */
export function buildStateAttributes(status: JobStatus, waitingFor: WaitingFor[]): SearchAttributeUpdatePair[] {
  const [first] = waitingFor.toSorted((a, b) => (a.due_at ?? '9').localeCompare(b.due_at ?? '9'))
  return [
    { key: STATUS, value: status },
    { key: WAITING_ON, value: first ? first.assignees.join(' ') || first.node_id : null },
    { key: DUE_AT, value: first?.due_at ? new Date(first.due_at) : null },
  ]
}
