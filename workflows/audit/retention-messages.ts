import type { ExpiryCounts, RetentionCursor } from '../../domain/audit/retention.ts'

export const RETENTION_WORKFLOW = 'retention'

/** A workspace in which more may have expired. */
export interface OpenWorkspace {
  id: string
  cursor: RetentionCursor
}

/** Where a run that continues another one begins. A first run has none of these. */
export interface RetentionInput {
  after?: string
  open?: OpenWorkspace[]
  result?: RetentionResult
}

export interface RetentionResult {
  workspaces: number
  removed: ExpiryCounts
  /** Workspaces where a batch failed; the next run begins again there. */
  failed: string[]
}
