import type { DocumentRef } from '../../domain/documents.ts'
import type { JobRef } from '../../domain/jobs.ts'

export const INGEST_WORKFLOW = 'ingest'

export interface IngestRunInput {
  job: JobRef
  document: DocumentRef
  requester: string
  /** Of one attempt at reading, with the wait for a free reader. */
  time_limit_ms: number
}
