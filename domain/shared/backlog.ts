import type { JobStatus } from '../runs/jobs.ts'

export type OpenStatus = Exclude<JobStatus, 'completed' | 'failed'>

/** Number of entries, up to a limit, and the age of the oldest entry in seconds. Both are 0 if there are no entries. */
export interface BacklogSize {
  total: number
  oldestSeconds: number
}

/** Pending work in all workspaces. */
export interface Backlog {
  runs: Record<OpenStatus, BacklogSize>
  interventions: BacklogSize
  /** Unpublished events. */
  events: BacklogSize
  /** Resource changes that are not in the search index yet, except for `index_failures`. */
  index_entries: BacklogSize
  /** Unindexed changes whose last attempt failed. */
  index_failures: BacklogSize
  /** Webhook deliveries whose workflow is due to start. */
  webhook_starts: BacklogSize
}
