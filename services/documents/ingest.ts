import type { Tx } from '../../data/shared/database.ts'
import { findJob } from '../../data/runs/jobs-store.ts'
import { SlugTaken } from '../../data/resources/resources-store.ts'
import { findDocumentTitle } from '../../domain/documents/documents.ts'
import { AppError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { Scope } from '../../domain/resources/scope.ts'
import type { Extraction, IngestReply } from '../../contract/documents/asset.ts'
import type { ReceivedContent } from '../../contract/shared/upload.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../shared/idempotency.ts'
import type { JobBuild, JobStarter } from '../runs/start/job-starter.ts'
import { rethrowFlattened } from '../resources/flatten-pointers.ts'
import { getHead } from '../resources/finding.ts'
import { presentResource } from '../resources/views.ts'
import { findExtractionStates } from './extractions.ts'
import { buildExtraction, buildIngestJobFromRow } from './ingest-job.ts'
import { type ExtractedText, buildExtractedText } from './extracted-text.ts'
import { inspect, type InspectedDocument } from './inspect.ts'
import { findSmallTextType } from './known-types.ts'
import { storeDocument } from './storing.ts'
import { presentAsset } from './views.ts'
import type { DocumentsService } from './documents.ts'

/** A document to ingest. The fields are not yet validated. */
export interface IngestRequest {
  content: ReceivedContent
  /** The request field that contains the content, used to report problems. The `text` field is UTF-8. */
  from: 'text' | 'content_base64' | 'file'
  mime_type?: string
  file_name?: string
  title?: string
  path?: string
  scope?: Scope
  brain_id?: string | null
  source_key?: string
  description?: string | null
  metadata?: unknown
}

export interface Ingested extends IngestReply {
  /** True if this request created an asset, or a version with different bytes. */
  is_new: boolean
}

interface Deps {
  jobStarter: JobStarter
  evaluator: Evaluator
  idempotencyKeys: Pick<IdempotencyKeys, 'saveResponse'>
  maxBytes: number
  /** Time limit for one extraction attempt. */
  attemptMs: number
}

/** The response stored for repeated requests. */
type SavedResponse = Omit<Ingested, 'asset'> & { asset_id: string }

/**
 * Ingests documents. One transaction stores the document, together with its text if the text is short, or with the
 * row of the job that extracts the text.
 */
export function createIngest(deps: Deps): DocumentsService['ingest'] {
  const { jobStarter, evaluator, idempotencyKeys, maxBytes, attemptMs } = deps

  /**
   * Reads a short text. Returns undefined for other documents and for text that cannot be read immediately. A job
   * reads those documents.
   */
  async function readNow(
    { workspace_id }: Principal,
    { content: { bytes, sha256 } }: IngestRequest,
    { media_type, charset }: InspectedDocument,
  ): Promise<ExtractedText | undefined> {
    const type = findSmallTextType(media_type, bytes.byteLength)
    if (!type) return undefined
    const extracted = await evaluator
      .evaluate(workspace_id, 'readSmallText', bytes, type, charset)
      .catch(swallowRefusal)
    return extracted ? buildExtractedText({ sha256, media_type, charset }, extracted) : undefined
  }

  /** Rebuilds the first request's response. Includes the job unless it has already started. */
  async function buildRepeat(tx: Tx, principal: Principal, savedResponse: SavedResponse): Promise<JobBuild<Ingested>> {
    const { asset_id, ...response } = savedResponse
    const asset = await getHead(tx, principal, { kind: 'assets', idOrSlug: asset_id }, { deleted: true })
    const { job_id } = response
    const [[extraction], row] = await Promise.all([
      findExtractionStates(tx, [{ ...(asset.document as AssetDocument), id: asset.id }]),
      job_id === null ? undefined : findJob(tx, job_id),
    ])
    const jobStart = row?.status === 'pending' ? buildIngestJobFromRow(row, attemptMs) : undefined
    return {
      response: { asset: presentAsset(presentResource(asset), extraction as Extraction), ...response },
      jobStart,
    }
  }

  return async (principal, request, idempotency) => {
    const document = await inspect(request, maxBytes)
    const text = await readNow(principal, request, document)
    const inspected = {
      ...document,
      title: request.title ?? findDocumentTitle(text?.record.title ?? '') ?? document.title,
    }
    const ingest = () =>
      jobStarter.start<Ingested>(principal, idempotency, async (tx, claimJob) => {
        const { job, requester, isNew, response } = await claimJob('ingest')
        if (!isNew) return buildRepeat(tx, principal, response as SavedResponse)
        const { asset, is_new, is_unread, updated } = await storeDocument(tx, principal, request, inspected)
        const { extraction, jobStart } = await buildExtraction(tx, {
          job,
          asset,
          is_unread,
          requester,
          attemptMs,
          text,
        })
        const acceptance = { job_id: jobStart?.job.job_id ?? null, is_new, updated }
        await idempotencyKeys.saveResponse(tx, idempotency, { asset_id: asset.id, ...acceptance })
        return { response: { asset: presentAsset(presentResource(asset), extraction), ...acceptance }, jobStart }
      })
    return (
      ingest()
        // A concurrent request took the slug. The second attempt derives a different slug.
        .catch((error: unknown) => (error instanceof SlugTaken ? ingest() : Promise.reject(error)))
        .catch(rethrowFlattened)
    )
  }
}

/** The evaluation took too long, or the queue has too many evaluations. */
function swallowRefusal(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
