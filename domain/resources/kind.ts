import type { z } from 'zod'
import type { Problem } from '../shared/json/json.ts'

/** The `document` of a resource: JSON in the shape that the kind defines. */
export type Document = object

/** Reference to bytes in the content store. Search reads the extracted text of content that is not text. */
export interface Content {
  sha256: string
  /** The type as which the text was extracted. */
  read_type: string
  isText: boolean
}

/** Values by which searches filter. */
export type Metadata = Record<string, string | number | boolean>

/** The patches of a kind in its own terms. */
export interface KindDelta<D> {
  shape: z.ZodType
  /**
   * Returns the changed document, in which what is unchanged is the same object. Throws ValidationError with pointers that
   * begin with `/delta`.
   */
  apply(document: D, delta: unknown): D
  /** Whether a delta of the shape names no change. */
  isEmpty?(delta: unknown): boolean
  /** Whether no other form of a patch may change the document. */
  isRequired?: boolean
  /** Whether the document after `apply` is valid if it was before, so that only the delta is checked. */
  isComplete?: boolean
}

/**
 * A resource kind: the schema of its documents, and their text for search. A new kind is such a file and a line in
 * `kinds/index.ts`; storage, versions, catalog routes, browsing and search apply to every kind.
 */
export interface KindDefinition<K extends string = string, D = unknown> {
  /** The plural name, as in routes and facets. */
  kind: K
  singular: string
  /** Schema of a document. Absent fields get their defaults. */
  document: z.ZodType<D>
  /** Lists problems that the schema cannot express. Pointers begin at the document. */
  problems?(document: D): Problem[]
  /** Returns the text for search, beside title and slug, as Markdown. */
  text(document: D): string
  /** Returns the content whose text is searched as well. */
  content?(document: D): Content
  metadata?(document: D): Metadata
  /** A patch in the terms of the kind. `apply` throws ValidationError. */
  delta?: KindDelta<D>
  /** Fields of the document that the catalog takes and shows as `snapshot`, and not in the document. */
  snapshotFields?: readonly string[]
  /** Whether the profile `document` of the tree shows it. */
  isDocument?: boolean
  /** Whether the audit log hashes the document as its JSON text is stored, not by RFC 8785. For large documents. */
  isHashedAsText?: boolean
  /** Whether searches can look into all versions, and not only into the head. */
  hasSearchableVersions?: boolean
  /** Whether searches and lists contain it only if it is requested by name. */
  isHidden?: boolean
  /** Fields of the document that derive from its content. They are set with it, and no other change may set them. */
  contentFields?: readonly string[]
  /** Fields of the document that a run writes. Restoring a version keeps them. */
  runFields?: readonly string[]
  /** Fields of the document that core resources, which the operator installs, do not show. */
  hiddenCoreFields?: readonly string[]
  /** Route that creates resources of the kind, if the catalog does not. Their content never changes. */
  createdBy?: string
}

/** Infers the name and the document type of a kind, and widens it for the registry. */
export const defineKind = <K extends string, D>(kind: KindDefinition<K, D>): KindDefinition<K> => kind

/** Returns the singular name in words. */
export const displayName = ({ singular }: Pick<KindDefinition, 'singular'>): string => singular.replaceAll('_', ' ')

/** Joins paragraphs, without empty ones. */
export const joinParagraphs = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join('\n\n')
