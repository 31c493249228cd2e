import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import { type AppError, Conflict } from '../../domain/shared/errors.ts'
import type { ResourceView, ResourcePatch } from '../../contract/resources/resource.ts'
import type { AssetView, Extraction } from '../../contract/documents/asset.ts'
import type { ArtifactView, NewArtifact } from '../../contract/documents/artifact.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import type { JobStarter } from '../runs/start/job-starter.ts'
import { createProduct, type ProductService } from '../resources/product.ts'
import type { ResourcesService } from '../resources/resources.ts'
import type { AccessService } from '../access/access.ts'
import { createDownload, type Download } from './download.ts'
import { findExtractionStates } from './extractions.ts'
import { createIngest, type IngestRequest, type Ingested } from './ingest.ts'
import { createBatchIngest } from './ingest-batch.ts'
import { presentArtifact, presentAsset } from './views.ts'
import { findContentPart } from '../../data/documents/contents-store.ts'
import { findExtractedText } from '../../data/documents/extractions-store.ts'
import type { Content } from '../../domain/resources/kind.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import type { ArtifactDocument } from '../../domain/resources/kinds/artifacts.ts'
import type { HeadView } from '../../contract/resources/head.ts'
import { readTextPart, type TextPart } from './text-parts.ts'

/**
 * Assets, which are ingested, and artifacts, which are written in Ganglion. Methods throw NotFound for ids from other
 * workspaces and from brains that the caller cannot see.
 */
export interface DocumentsService {
  /**
   * Stores a document with its text, or starts a job that extracts the text. A document is identified by its
   * `source_key`, otherwise by folder and file name, or by folder and bytes if there is no file name. If the bytes or
   * fields of an existing document change, its next version is created. Identical bytes are stored only once. Throws
   * ValidationError, UnsupportedMediaType, PayloadTooLarge, and Conflict if another request has used the idempotency
   * key.
   */
  ingest(principal: Principal, request: IngestRequest, idempotency?: Idempotency): Promise<Ingested>
  /**
   * Ingests documents in order. For each document, returns the result of `ingest` or the reason for its rejection:
   * either the given reason or an error that `ingest` throws. Throws Conflict if another request has used the
   * idempotency key. Any other failure, such as Unavailable, is also thrown. Earlier documents stay ingested, and the
   * batch can be repeated.
   */
  ingestBatch(
    principal: Principal,
    documents: (IngestRequest | AppError)[],
    idempotency?: Idempotency,
  ): Promise<(Ingested | AppError)[]>
  assets: Omit<ProductService<AssetView>, 'create' | 'patch'>
  artifacts: ProductService<ArtifactView, NewArtifact, ResourcePatch>
  /** Returns the content of the head or of the given version. */
  content(principal: Principal, kind: 'assets' | 'artifacts', idOrSlug: string, version?: number): Promise<Download>
  /**
   * Reads part of an artifact's text, or part of the text extracted from an asset. Throws Conflict for an asset that
   * has no text yet.
   */
  readText(
    principal: Principal,
    kind: 'assets' | 'artifacts',
    idOrSlug: string,
    part: { version?: number; offset: number; max_bytes: number },
  ): Promise<DocumentPart>
}

interface Deps {
  db: Database
  access: Pick<AccessService, 'withBrain'>
  resources: ResourcesService
  jobStarter: JobStarter
  evaluator: Evaluator
  idempotencyKeys: IdempotencyKeys
  config: Pick<Config, 'DOCUMENT_MAX_BYTES' | 'DOCUMENT_ATTEMPT_SECONDS'>
}

/** Creates the documents service: assets and artifacts, ingestion, and content access. */
export function createDocuments({
  db,
  access,
  resources,
  jobStarter,
  evaluator,
  idempotencyKeys,
  config,
}: Deps): DocumentsService {
  const product = createProduct(resources, 'assets', resource => resource)

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
      ...product,
      async list(principal, filter) {
        const { data, total } = await product.list(principal, filter)
        return { data: await withExtractions(principal, data), total }
      },
      read: async (principal, idOrSlug, version) =>
        withExtraction(principal, await product.read(principal, idOrSlug, version)),
      restore: async (principal, ...request) => withExtraction(principal, await product.restore(principal, ...request)),
    },

    artifacts: {
      ...createProduct(resources, 'artifacts', presentArtifact),
      patch: async (principal, idOrSlug, envelope, expected_version) =>
        presentArtifact(await resources.patch(principal, 'artifacts', idOrSlug, { ...envelope, expected_version })),
    },
  }
}

/** One part of a document's text. */
interface DocumentPart extends TextPart {
  document: HeadView
  media_type: string
}

/** Reads, in parts, the texts of documents that are visible to the principal. */
function createReadText({ db, resources }: { db: Database; resources: Pick<ResourcesService, 'read'> }) {
  const readText: DocumentsService['readText'] = async (principal, kind, idOrSlug, { version, offset, max_bytes }) => {
    const { document, snapshot: _, ...head } = await resources.read(principal, kind, idOrSlug, version)
    const { media_type } = document as ArtifactDocument | AssetDocument
    const content = getResourceKind(kind).content?.(document) as Content
    const slice = await db.inWorkspace(principal.workspace_id, async tx => {
      const text = content.isText ? content.sha256 : await findExtractedText(tx, content)
      return text === undefined ? undefined : findContentPart(tx, text, { offset, max_bytes })
    })
    if (!slice) throw new Conflict('The document has no text: see its `extraction`')
    return { document: head, media_type, ...readTextPart(slice, offset) }
  }
  return readText
}
