import type { Principal } from '../../domain/principal.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { ProductService } from '../products/types.ts'
import type { NewFields, PatchEnvelope } from '../resources/types.ts'

/** Bytes with their sha-256 (hex), which is made while they come in. */
export interface ReceivedContent {
  bytes: Uint8Array
  sha256: string
}

/** A document to take in. What it is called, where it belongs and what is noted beside it comes unchecked. */
export interface IngestRequest {
  content: ReceivedContent
  /** The field of the request that brought the content, for problems. A text is in UTF-8. */
  from: 'text' | 'content_base64' | 'file'
  mime_type?: string
  file_name?: string
  title?: string
  path?: string
  brain_id?: string | null
  source_key?: string
  description?: string | null
  metadata?: unknown
}

export interface Ingested {
  asset: AssetView
  /** The job that reads the document; null when it was read before. */
  job_id: string | null
  /** An asset or a version of one was made. */
  is_new: boolean
}

/** How far the reading of a document has come. */
export interface Extraction {
  status: 'processing' | 'ready' | 'failed'
  /** The job that reads it, while it does. */
  job_id?: string
  error?: { code: string; message: string }
  /** What the document calls itself. */
  title?: string
  pages?: number
  characters?: number
  /** What the document says of itself: author, created … */
  metadata?: Record<string, string>
}

interface DocumentView {
  id: string
  slug: string
  type: ResourceKind
  title: string
  path: string
  brain_id: string | null
  version: number
  description: string | null
  media_type: string
  size: number
  sha256: string
  metadata: Record<string, string | number | boolean>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** An ingested document: its content never changes within a version. */
export interface AssetView extends DocumentView {
  charset?: string
  file_name?: string
  source_key?: string
  extraction: Extraction
}

/** A document that is written and rewritten here. */
export type ArtifactView = DocumentView

export type NewArtifact = Omit<NewFields, 'document' | 'is_active'> & {
  content: string
  media_type?: string
  description?: string | null
  metadata?: unknown
}

/** A content to be sent: what it is, and its bytes piece by piece. */
export interface Download {
  sha256: string
  size: number
  /** With its charset, where it is text. */
  content_type: string
  file_name: string
  /** From the first to the last of these bytes, both included. Nothing is read before it is asked for. */
  read: (from: number, to: number) => AsyncGenerator<Buffer>
}

/**
 * The document lane over the spine: assets, which come from elsewhere and are read, and artifacts, which are written
 * here. Ids of other workspaces, and of brains out of reach, give NotFound.
 */
export interface DocumentsService {
  /**
   * Takes in a document and starts the job that reads it. What is there already is not taken in again: the same bytes of
   * a brain are one asset, and new bytes under the same `source_key` its next version. Throws ValidationError,
   * UnsupportedMediaType or PayloadTooLarge for what is no document, Conflict for a key that was used otherwise.
   */
  ingest(principal: Principal, request: IngestRequest, idempotency?: Idempotency): Promise<Ingested>
  assets: Omit<ProductService<AssetView>, 'create' | 'patch'>
  artifacts: ProductService<ArtifactView, NewArtifact, PatchEnvelope>
  /** The content of the head, or of a version. */
  content(principal: Principal, kind: 'assets' | 'artifacts', idOrSlug: string, version?: number): Promise<Download>
}
