import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobStatus, WaitingFor } from '../../domain/jobs.ts'

const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')
/** The spec's status of an open run: `running`, `waiting` or `paused`. Reads of jobs trust it over the row. */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** The search attributes a run starts with. */
export function startAttributes(
  workspaceId: string,
  pathway: { slug: string; version: number | null },
): SearchAttributePair[] {
  return [
    { key: WORKSPACE, value: workspaceId },
    { key: KIND, value: 'pathway' },
    { key: PATHWAY, value: pathway.slug },
    { key: VERSION, value: pathway.version === null ? 'inline' : String(pathway.version) },
    { key: STATUS, value: 'running' },
  ]
}

/** The attributes of a run's present state: its status, who is awaited first and until when. */
export function stateAttributes(status: JobStatus, waitingFor: WaitingFor[]): SearchAttributeUpdatePair[] {
  const [first] = waitingFor.toSorted((a, b) => (a.due_at ?? '9').localeCompare(b.due_at ?? '9'))
  return [
    { key: STATUS, value: status },
    { key: WAITING_ON, value: first ? first.assignees.join(' ') || first.node_id : null },
    { key: DUE_AT, value: first?.due_at ? new Date(first.due_at) : null },
  ]
}
