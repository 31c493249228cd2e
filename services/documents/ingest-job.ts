import type { Tx } from '../../data/shared/database.ts'
import { touchAssetsWithContent } from '../../data/documents/assets-store.ts'
import { forgetFailure } from '../../data/documents/extractions-store.ts'
import { findLastJobs, type JobRecord, toJobRef } from '../../data/runs/jobs-store.ts'
import type { Resource } from '../../data/resources/resources-store.ts'
import { type DocumentRef, formatReadType } from '../../domain/documents/documents.ts'
import { isTerminal, type JobRef } from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { Extraction } from '../../contract/documents/asset.ts'
import { INGEST_WORKFLOW, type IngestRunInput } from '../../workflows/documents/ingest-messages.ts'
import type { JobStart } from '../runs/start/job-starter.ts'
import { type ExtractedText, saveExtractedText } from './extracted-text.ts'
import { findExtractionStates, presentExtraction } from './extractions.ts'
import { hasText } from './known-types.ts'

interface ExtractionRequest {
  /** The reference for a new job, used if no existing job can be reused. */
  job: JobRef
  asset: Resource
  /** Whether the asset's bytes or type changed. */
  is_unread: boolean
  requester: string
  attemptMs: number
  /** The document's text, if it is short. */
  text?: ExtractedText
}

/**
 * Builds a document's extraction state, in the transaction that stores the state with the text. Without a text,
 * `jobStart` is an open job, or a new job if no job exists or the last job failed.
 */
export async function buildExtraction(
  tx: Tx,
  { job, asset, is_unread, requester, attemptMs, ...read }: ExtractionRequest,
): Promise<{ extraction: Extraction; jobStart?: JobStart }> {
  const document = toDocumentRef(asset)
  const { sha256, media_type } = document
  if (!hasText(media_type)) return { extraction: { status: 'none' } }
  const read_type = formatReadType(document)
  const text = read.text?.record.media_type === read_type ? read.text : undefined
  const documents = [{ ...document, id: asset.id }]
  if (!is_unread) {
    const [last] = await findLastJobs(tx, [asset.id])
    if (last && !isTerminal(last.status)) {
      const jobStart = buildIngestJobFromRow(last, attemptMs)
      return { extraction: { status: 'processing', job_id: last.job_id }, jobStart }
    }
    const [extraction] = await findExtractionStates(tx, documents)
    if (extraction?.status === 'ready') return { extraction }
  }
  const [hadFailed] = await Promise.all([forgetFailure(tx, sha256, read_type), text && saveExtractedText(tx, text)])
  if (text) {
    if (hadFailed) await touchAssetsWithContent(tx, sha256)
    return { extraction: presentExtraction(text.record) }
  }
  const assetJob = { ...job, brain_id: asset.brain_id ?? undefined }
  const extraction: Extraction = { status: 'processing', job_id: job.job_id }
  return { extraction, jobStart: buildIngestJob({ job: assetJob, document, requester, time_limit_ms: attemptMs }) }
}

/** Rebuilds the job start from a stored job row. */
export function buildIngestJobFromRow(row: JobRecord, attemptMs: number): JobStart {
  const { input, requester } = row
  return buildIngestJob({
    job: toJobRef(row),
    document: input as unknown as DocumentRef,
    requester,
    time_limit_ms: attemptMs,
  })
}

function buildIngestJob(input: IngestRunInput): JobStart {
  const { job, document, requester } = input
  const details = `Document **${document.asset_id}** (version ${document.version}), sent by ${requester}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'ingest',
    title: document.title,
    requester,
    input: document as unknown as JsonValue,
    asset_id: document.asset_id,
    isRepeatable: true,
    workflow: { type: INGEST_WORKFLOW, args: [input], details },
  }
}

function toDocumentRef({ id, version, title, document }: Resource): DocumentRef {
  const { sha256, size, media_type, charset, file_name } = document as AssetDocument
  return { asset_id: id, version, title, sha256, size, media_type, charset, file_name }
}
