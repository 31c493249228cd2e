import type { Database } from '../../data/shared/database.ts'
import { AppError } from '../../domain/shared/errors.ts'
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
 * Ingests documents one after the other, so that of two with the same source the later one is the later version. Each has
 * a key of its own, derived from that of the batch: a repeat of a batch that was interrupted ingests the rest.
 */
export function createBatchIngest({ db, access, idempotencyKeys, ingest }: Deps): DocumentsService['ingestBatch'] {
  /** Throws Conflict when another request has used the key. */
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

/** What is wrong with one document. Any other failure ends the batch, which can be repeated. */
function requireClientError(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error
  throw error
}
