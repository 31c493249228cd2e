import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobStatus, WaitingFor } from '../../domain/jobs.ts'
import { STATUS } from '../attributes.ts'

const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** What a run of a pathway starts with beside the attributes of all runs. */
export const pathwayAttributes = ({
  slug,
  version,
}: {
  slug: string
  version: number | null
}): SearchAttributePair[] => [
  { key: PATHWAY, value: slug },
  { key: VERSION, value: version === null ? 'inline' : String(version) },
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
