import type { ExpiryCounts, RetentionCursor } from '../../domain/audit/retention.ts'

export const RETENTION_WORKFLOW = 'retention'

/** A workspace that may have more expired data. */
export interface OpenWorkspace {
  id: string
  cursor: RetentionCursor
}

/** Where a continued run resumes. The first run has none of these fields. */
export interface RetentionInput {
  after?: string
  open?: OpenWorkspace[]
  result?: RetentionResult
}

export interface RetentionResult {
  workspaces: number
  removed: ExpiryCounts
  /** Workspaces in which a batch failed. In these workspaces, the next run starts from the beginning. */
  failed: string[]
}
