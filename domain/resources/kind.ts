import type { z } from 'zod'
import type { Problem } from '../shared/json/json.ts'

/** The `document` of a resource: JSON in the shape defined by its kind. */
export type Document = object

/** Reference to bytes in the content store. For content other than text, search uses the extracted text. */
export interface Content {
  sha256: string
  /** The media type with which the text was extracted. */
  read_type: string
  isText: boolean
}

/** Values that searches can filter by. */
export type Metadata = Record<string, string | number | boolean>

/** Kind-specific patches. */
export interface KindDelta<D> {
  shape: z.ZodType
  /**
   * Returns the changed document. Unchanged parts keep their object identity. Throws ValidationError with pointers
   * that start with `/delta`.
   */
  apply(document: D, delta: unknown): D
  /** Returns whether a valid delta contains no change. */
  isEmpty?(delta: unknown): boolean
  /** Whether the document can only be changed by a delta. */
  isRequired?: boolean
  /** Whether `apply` keeps a valid document valid, so that only the delta needs checking. */
  isComplete?: boolean
}

/**
 * A resource kind: the schema of its documents, and their searchable text. To add a kind, add a file with its
 * definition and a line in `kinds/index.ts`. Storage, versions, catalog routes, browsing and search apply to every
 * kind.
 */
export interface KindDefinition<K extends string = string, D = unknown> {
  /** Plural name, as used in routes and facets. */
  kind: K
  singular: string
  /** Document schema. Absent fields get their defaults. */
  document: z.ZodType<D>
  /** Lists problems that the schema cannot express. Pointers are relative to the document. */
  problems?(document: D): Problem[]
  /** Returns the searchable text other than title and slug, as Markdown. */
  text(document: D): string
  /** Returns the content that search covers in addition to the document's text. */
  content?(document: D): Content
  metadata?(document: D): Metadata
  /** Kind-specific patch. `apply` throws ValidationError. */
  delta?: KindDelta<D>
  /** Document fields that the catalog reads and writes as `snapshot` instead of `document`. */
  snapshotFields?: readonly string[]
  /** Whether the tree's `document` profile includes the kind. */
  isDocument?: boolean
  /** Whether the audit log hashes the document's stored JSON text instead of its RFC 8785 form. For large documents. */
  isHashedAsText?: boolean
  /** Whether searches can include all versions, not only the head. */
  hasSearchableVersions?: boolean
  /** Whether searches and lists include the kind only if it is requested by name. */
  isHidden?: boolean
  /** Document fields derived from the content. They are set together with it, and no other change may set them. */
  contentFields?: readonly string[]
  /** Document fields written by runs. Restoring a version keeps their current values. */
  runFields?: readonly string[]
  /** Document fields hidden in core resources, which the operator installs. */
  hiddenCoreFields?: readonly string[]
  /** Route that creates resources of the kind, if the catalog does not. Their content never changes. */
  createdBy?: string
}

/** Infers a kind's name and document type, and widens the definition for the registry. */
export const defineKind = <K extends string, D>(kind: KindDefinition<K, D>): KindDefinition<K> => kind

/** Returns the singular name, with spaces between words. */
export const displayName = ({ singular }: Pick<KindDefinition, 'singular'>): string => singular.replaceAll('_', ' ')

/** Joins non-empty paragraphs. */
export const joinParagraphs = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join('\n\n')
