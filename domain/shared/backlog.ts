import type { JobStatus } from '../runs/jobs.ts'

export type OpenStatus = Exclude<JobStatus, 'completed' | 'failed'>

/** How many there are, up to a limit, and the age of the oldest in seconds; 0 if there is none. */
export interface BacklogSize {
  total: number
  oldestSeconds: number
}

/** What is open or waits in all workspaces. */
export interface Backlog {
  runs: Record<OpenStatus, BacklogSize>
  interventions: BacklogSize
  /** Events that are not published yet. */
  events: BacklogSize
  /** Changes of resources that are not in the search index yet. */
  index_entries: BacklogSize
  /** Those of them whose last attempt failed. */
  index_failures: BacklogSize
  /** Deliveries of webhooks whose workflow is due to start. */
  webhook_starts: BacklogSize
}
