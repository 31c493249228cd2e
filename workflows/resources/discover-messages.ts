import type { JobRef } from '../../domain/runs/jobs.ts'

export const DISCOVER_WORKFLOW = 'discover'

export interface DiscoverRunInput {
  job: JobRef
  reflex: { id: string; slug: string; title: string }
  requester: string
}
