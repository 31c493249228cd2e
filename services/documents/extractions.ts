import type { Tx } from '../../data/database.ts'
import { type ExtractionRecord, findExtractions } from '../../data/extractions-store.ts'
import { findLastJobs } from '../../data/jobs-store.ts'
import { isTerminal, type JobRecord } from '../../domain/jobs.ts'
import type { Extraction } from './types.ts'

export interface StoredDocument {
  id: string
  sha256: string
  media_type: string
}

const UNREAD = { code: 'NOT_READ', message: 'the text was not extracted; ingest the same bytes again' }

/**
 * The states of extractions, in the order of the documents. Documents with the same bytes share a result. Without one,
 * the state is that of the job of the asset.
 */
export async function findExtractionStates(tx: Tx, documents: StoredDocument[]): Promise<Extraction[]> {
  const known = await findExtractions(tx, [...new Set(documents.map(({ sha256 }) => sha256))])
  const findRecord = ({ sha256, media_type }: StoredDocument) =>
    known.find(record => record.sha256 === sha256 && record.media_type === media_type)
  const unread = documents.filter(document => !findRecord(document)).map(({ id }) => id)
  const jobs = unread.length > 0 ? await findLastJobs(tx, unread) : []
  return documents.map(document => {
    const record = findRecord(document)
    return record ? toExtraction(record) : toExtractionOfJob(jobs.find(({ asset_id }) => asset_id === document.id))
  })
}

function toExtraction(record: ExtractionRecord): Extraction {
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

function toExtractionOfJob(job: JobRecord | undefined): Extraction {
  if (job && !isTerminal(job.status)) return { status: 'processing', job_id: job.job_id }
  if (job?.status !== 'failed') return { status: 'failed', error: UNREAD }
  return { status: 'failed', error: { code: job.failed_code ?? 'FAILED', message: job.failed_reason ?? 'failed' } }
}
