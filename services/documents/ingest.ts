import type { Database, Tx } from '../../data/database.ts'
import { saveIdempotentResponse } from '../../data/idempotency-store.ts'
import { findJob } from '../../data/jobs-store.ts'
import { SlugTaken } from '../../data/resources-store.ts'
import type { Principal } from '../../domain/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import { claimKey } from '../idempotency.ts'
import type { Launcher } from '../jobs/launch.ts'
import type { Idempotency } from '../jobs/types.ts'
import { atTopLevel } from '../resources/at-top-level.ts'
import { requireHead } from '../resources/finding.ts'
import { resourceView } from '../resources/views.ts'
import { extractionsOf } from './extractions.ts'
import { type Inspected, inspect } from './inspect.ts'
import { launchOfRow, type ReadingJob, readingOf } from './reading.ts'
import { storeDocument } from './storing.ts'
import type { DocumentsService, Extraction, Ingested, IngestRequest } from './types.ts'
import { assetView } from './views.ts'

interface Deps {
  db: Database
  launcher: Launcher
  idempotencyHours: number
  /** Of a document. */
  maxBytes: number
  /** Of one attempt at reading, in milliseconds. */
  attemptMs: number
}

/** What is to be answered, and the job to begin once the transaction is done. */
interface Settled extends Ingested {
  job?: ReadingJob
}

/** What a request with a key is remembered by. */
type Remembered = { asset_id: string; job_id: string | null; is_new: boolean }

/** Takes documents in: one transaction stores the document and the row of the job that reads it, then that is begun. */
export function createIngest({
  db,
  launcher,
  idempotencyHours,
  maxBytes,
  attemptMs,
}: Deps): DocumentsService['ingest'] {
  async function settle(
    tx: Tx,
    principal: Principal,
    request: IngestRequest,
    inspected: Inspected,
    idempotency?: Idempotency,
  ): Promise<Settled> {
    const claimed = idempotency && (await claimKey(tx, idempotency, request.content.sha256, idempotencyHours))
    if (claimed && !claimed.fresh) return again(tx, principal, claimed.response as Remembered)
    const { asset, is_new } = await storeDocument(tx, principal, request, inspected)
    const { extraction, job } = await readingOf(tx, principal, { asset, is_new }, { launcher, attemptMs })
    const job_id = job?.launch.job.job_id ?? null
    const remembered: Remembered = { asset_id: asset.id, job_id, is_new }
    if (idempotency) await saveIdempotentResponse(tx, idempotency.key, remembered)
    return { asset: assetView(resourceView(asset), extraction), job_id, is_new, job }
  }

  /** A request that came before gets its answer, and its job if that has not begun. */
  async function again(tx: Tx, principal: Principal, { asset_id, job_id, is_new }: Remembered): Promise<Settled> {
    const asset = await requireHead(tx, principal, { kind: 'assets', idOrSlug: asset_id }, { deleted: true })
    const { sha256, media_type } = asset.document as AssetDocument
    const [[extraction], row] = await Promise.all([
      extractionsOf(tx, [{ id: asset.id, sha256, media_type }]),
      job_id === null ? undefined : findJob(tx, job_id),
    ])
    const job = row?.status === 'pending' ? { launch: launchOfRow(row, attemptMs), isNew: false } : undefined
    return { asset: assetView(resourceView(asset), extraction as Extraction), job_id, is_new, job }
  }

  return async (principal, request, idempotency) => {
    const inspected = await inspect(request, maxBytes)
    const attempt = () =>
      db.inWorkspace(principal.workspace_id, tx => settle(tx, principal, request, inspected, idempotency))
    const { job, ...ingested } = await attempt()
      // Somebody took the slug at the same moment: now it is seen to be taken, and another one is made.
      .catch((error: unknown) => (error instanceof SlugTaken ? attempt() : Promise.reject(error)))
      .catch(atTopLevel)
    if (job) await launcher.begin(job.launch, { isNew: job.isNew, canBeSentAgain: true })
    return ingested
  }
}
