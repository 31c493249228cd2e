import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../shared/idempotency.ts'
import type { JobStarter } from '../runs/start/job-starter.ts'
import { createProduct } from '../resources/products/product.ts'
import { createDownload } from './download.ts'
import { findExtractionStates } from './extractions.ts'
import { createIngest } from './ingest.ts'
import { createBatchIngest } from './ingest-batch.ts'
import { createReadText } from './read-text.ts'
import type { AssetView, DocumentsService, Extraction } from './types.ts'
import { presentArtifact, presentAsset } from './views.ts'
import type { ResourcesService } from '../resources/resources.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { AccessService } from '../access/access.ts'

interface Deps {
  db: Database
  access: Pick<AccessService, 'withBrain'>
  resources: ResourcesService
  jobStarter: JobStarter
  evaluator: Evaluator
  idempotencyKeys: IdempotencyKeys
  config: Pick<Config, 'DOCUMENT_MAX_BYTES' | 'DOCUMENT_ATTEMPT_SECONDS'>
}

/** Assets and artifacts as products, ingestion of documents, and their contents. */
export function createDocuments({
  db,
  access,
  resources,
  jobStarter,
  evaluator,
  idempotencyKeys,
  config,
}: Deps): DocumentsService {
  const stored = createProduct(resources, 'assets', resource => resource)

  async function withExtractions(principal: Principal, assets: ResourceView[]): Promise<AssetView[]> {
    const existing = assets.map(({ id, document }) => ({ ...(document as AssetDocument), id }))
    const extractions = await db.inWorkspace(principal.workspace_id, tx => findExtractionStates(tx, existing))
    return assets.map((asset, i) => presentAsset(asset, extractions[i] as Extraction))
  }

  const withExtraction = async (principal: Principal, asset: ResourceView) =>
    (await withExtractions(principal, [asset]))[0] as AssetView

  const ingest = createIngest({
    jobStarter,
    evaluator,
    idempotencyKeys,
    maxBytes: config.DOCUMENT_MAX_BYTES,
    attemptMs: config.DOCUMENT_ATTEMPT_SECONDS * 1_000,
  })

  return {
    ingest,
    ingestBatch: createBatchIngest({ db, access, idempotencyKeys, ingest }),
    content: createDownload({ db, resources }),
    readText: createReadText({ db, resources }),

    assets: {
      ...stored,
      async list(principal, filter) {
        const { data, total } = await stored.list(principal, filter)
        return { data: await withExtractions(principal, data), total }
      },
      read: async (principal, idOrSlug, version) =>
        withExtraction(principal, await stored.read(principal, idOrSlug, version)),
      restore: async (principal, ...request) => withExtraction(principal, await stored.restore(principal, ...request)),
    },

    artifacts: {
      ...createProduct(resources, 'artifacts', presentArtifact),
      patch: async (principal, idOrSlug, envelope, expected_version) =>
        presentArtifact(await resources.patch(principal, 'artifacts', idOrSlug, { ...envelope, expected_version })),
    },
  }
}
