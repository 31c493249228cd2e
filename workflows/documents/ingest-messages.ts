import type { DocumentRef } from '../../domain/documents/documents.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'

export const INGEST_WORKFLOW = 'ingest'

export interface IngestRunInput {
  job: JobRef
  document: DocumentRef
  requester: string
  /** Time limit of one attempt, including the wait for a free process. */
  time_limit_ms: number
}
