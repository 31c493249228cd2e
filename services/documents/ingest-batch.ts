import type { Database } from '../../data/shared/database.ts'
import { AppError, isRefusal } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import type { AccessService } from '../access/access.ts'
import type { DocumentsService } from './documents.ts'
import type { IngestRequest, Ingested } from './ingest.ts'

interface Deps {
  db: Database
  access: Pick<AccessService, 'withBrain'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
  ingest: DocumentsService['ingest']
}

/**
 * Ingests documents one by one, so that if two documents have the same source, the later document becomes the later
 * version. Each document has its own key, derived from the batch key. Repeating an interrupted batch ingests the
 * remaining documents.
 */
export function createBatchIngest({ db, access, idempotencyKeys, ingest }: Deps): DocumentsService['ingestBatch'] {
  /** Throws Conflict if another request has used the key. */
  async function claimBatch({ workspace_id }: Principal, idempotency: Idempotency): Promise<void> {
    await db.inWorkspace(workspace_id, tx => idempotencyKeys.claim(tx, idempotency, 'batch'))
  }

  async function ingestOne(principal: Principal, request: IngestRequest, idempotency?: Idempotency): Promise<Ingested> {
    return ingest(await access.withBrain(principal, request.brain_id ?? undefined), request, idempotency)
  }

  return async (principal, documents, idempotency) => {
    if (idempotency) await claimBatch(principal, idempotency)
    const results: (Ingested | AppError)[] = []
    for (const [at, document] of documents.entries()) {
      const itemIdempotency = idempotency && { ...idempotency, key: `${idempotency.key}\n${at}` }
      results.push(
        document instanceof AppError
          ? document
          : await ingestOne(principal, document, itemIdempotency).catch(requireClientError),
      )
    }
    return results
  }
}

/**
 * Returns the error that concerns a single document. Rethrows any other failure, which ends the batch. The batch can
 * then be repeated.
 */
function requireClientError(error: unknown): AppError {
  if (isRefusal(error)) return error
  throw error
}
