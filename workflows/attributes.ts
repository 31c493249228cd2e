import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { JobKind } from '../domain/jobs.ts'

const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
/** The spec's status of an open run: `running`, `waiting` or `paused`. Reads of jobs trust it over the row. */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')

/** The search attributes that runs of every kind start with. */
export const runAttributes = (workspaceId: string, kind: JobKind): SearchAttributePair[] => [
  { key: WORKSPACE, value: workspaceId },
  { key: KIND, value: kind },
  { key: STATUS, value: 'running' },
]
