import type { AppError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Scope } from '../../domain/resources/scope.ts'
import type { TextPart } from './text-parts.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { ReceivedContent } from '../../contract/shared/upload.ts'
import type { ProductService } from '../resources/products/product.ts'
import type { HeadView } from '../../contract/resources/head.ts'
import type { NewFields } from '../resources/saving.ts'
import type { ResourcePatch } from '../../contract/resources/resource.ts'

/** A document to ingest. Its fields are not validated yet. */
export interface IngestRequest {
  content: ReceivedContent
  /** The field of the request with the content, for problems. A text is UTF-8. */
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

export interface Ingested {
  asset: AssetView
  /** The job that extracts the text; null when the text is extracted already. */
  job_id: string | null
  /** True when an asset, or a version of it with other bytes, was created. */
  is_new: boolean
  /** The fields of a known asset that the request changed, by its next version. */
  updated: string[]
}

/** The state of the extraction of a document. */
export interface Extraction {
  /** `none` for a type without a reader: the document is stored only. */
  status: 'processing' | 'ready' | 'failed' | 'none'
  /** The open job of the extraction. */
  job_id?: string
  error?: { code: string; message: string }
  /** The title in the metadata of the file. */
  title?: string
  pages?: number
  characters?: number
  /** Metadata of the file: author, created … */
  metadata?: Record<string, string>
}

interface DocumentView extends HeadView {
  description: string | null
  media_type: string
  size: number
  sha256: string
  metadata: Record<string, string | number | boolean>
}

/** An ingested document: its content never changes within a version. */
export interface AssetView extends DocumentView {
  charset?: string
  file_name?: string
  source_key?: string
  extraction: Extraction
}

/** A document that is written in Ganglion. */
export type ArtifactView = DocumentView

export type NewArtifact = Omit<NewFields, 'document' | 'is_active'> & {
  content: string
  media_type?: string
  description?: string | null
  metadata?: unknown
}

/** A content to be sent. */
export interface Download {
  sha256: string
  size: number
  /** Includes the charset of a text. */
  content_type: string
  file_name: string
  /** Reads the bytes from `from` to `to`, both included, lazily. */
  read: (from: number, to: number) => AsyncGenerator<Buffer>
}

/** A part of the text of a document. */
export interface DocumentPart extends TextPart {
  document: HeadView
  media_type: string
}

/**
 * Assets, which are ingested, and artifacts, which are written in Ganglion. Methods throw NotFound for ids of other
 * workspaces, and of brains that are not visible to the caller.
 */
export interface DocumentsService {
  /**
   * Stores a document with its text, or starts the job that extracts it. A document is known by its `source_key`, or else
   * by its folder and file name; without a file name, by its folder and bytes. Other bytes or fields of a known document are
   * its next version. Equal bytes are stored once, for any number of documents. Throws ValidationError,
   * UnsupportedMediaType, PayloadTooLarge, and Conflict when another request has used the idempotency key.
   */
  ingest(principal: Principal, request: IngestRequest, idempotency?: Idempotency): Promise<Ingested>
  /**
   * Ingests documents in their order. Returns for each what `ingest` returns, or the reason of its refusal: the given one
   * or one that `ingest` throws. Throws Conflict when another request has used the idempotency key, and any other
   * failure, such as Unavailable: the documents before it are ingested, and the batch can be repeated.
   */
  ingestBatch(
    principal: Principal,
    documents: (IngestRequest | AppError)[],
    idempotency?: Idempotency,
  ): Promise<(Ingested | AppError)[]>
  assets: Omit<ProductService<AssetView>, 'create' | 'patch'>
  artifacts: ProductService<ArtifactView, NewArtifact, ResourcePatch>
  /** The content of the head, or of a version. */
  content(principal: Principal, kind: 'assets' | 'artifacts', idOrSlug: string, version?: number): Promise<Download>
  /**
   * Reads a part of the text: that of an artifact, or that which was extracted from an asset. Throws Conflict for an asset
   * that has no text yet.
   */
  readText(
    principal: Principal,
    kind: 'assets' | 'artifacts',
    idOrSlug: string,
    part: { version?: number; offset: number; max_bytes: number },
  ): Promise<DocumentPart>
}
