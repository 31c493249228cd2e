import type { Tx } from '../../data/shared/database.ts'
import { type ExtractionRecord, findExtractions } from '../../data/documents/extractions-store.ts'
import { findLastJobs, type JobRecord } from '../../data/runs/jobs-store.ts'
import { formatReadType } from '../../domain/documents/documents.ts'
import { isTerminal } from '../../domain/runs/jobs.ts'
import type { Extraction } from '../../contract/documents/asset.ts'
import { hasText } from './known-types.ts'

export interface StoredDocument {
  id: string
  sha256: string
  media_type: string
  charset?: string
}

const UNREAD = { code: 'NOT_READ', message: 'text extraction failed; ingest the same bytes again' }

/**
 * Returns the extraction states in the same order as the documents. Documents with the same bytes share a result. An
 * asset exposes the result only after its own job has ended, so the result does not reveal that the bytes were
 * already stored.
 */
export async function findExtractionStates(tx: Tx, documents: StoredDocument[]): Promise<Extraction[]> {
  // The order matters, because an ended job has already written its extraction.
  const [jobs, records] = await Promise.all([
    findLastJobs(
      tx,
      documents.map(({ id }) => id),
    ),
    findExtractions(tx, [...new Set(documents.map(({ sha256 }) => sha256))]),
  ])
  return documents.map(({ id, sha256, media_type, charset }) => {
    if (!hasText(media_type)) return { status: 'none' }
    const job = jobs.find(({ asset_id }) => asset_id === id)
    if (job && !isTerminal(job.status)) return { status: 'processing', job_id: job.job_id }
    const record = records.find(
      extraction => extraction.sha256 === sha256 && extraction.media_type === formatReadType({ media_type, charset }),
    )
    return record ? presentExtraction(record) : presentFailedExtraction(job)
  })
}

/** Returns the extraction state in the form that clients receive. */
export function presentExtraction(record: ExtractionRecord): Extraction {
  const { text_sha256, title, pages, characters, metadata, error_code, error_message } = record
  if (text_sha256 === null)
    return { status: 'failed', error: { code: error_code ?? 'FAILED', message: error_message ?? 'failed' } }
  return {
    status: 'ready',
    ...(title !== null && { title }),
    ...(pages !== null && { pages }),
    characters: characters ?? 0,
    metadata,
  }
}

function presentFailedExtraction(job: JobRecord | undefined): Extraction {
  if (job?.status !== 'failed') return { status: 'failed', error: UNREAD }
  return { status: 'failed', error: { code: job.failed_code ?? 'FAILED', message: job.failed_reason ?? 'failed' } }
}
