import type { z } from 'zod'
import type { JsonValue, Problem } from '../json.ts'

/** What a kind keeps in a resource's `document`: JSON of the shape the kind says. */
export type Document = object

/** Bytes in the store of contents. Of what is no text by itself, search reads what was extracted. */
export interface Content {
  sha256: string
  media_type: string
  isText: boolean
}

/** Values that searches filter by. */
export type Metadata = Record<string, string | number | boolean>

/**
 * One kind of the spine: what its documents look like and what search finds them by. Adding a kind costs such a file and
 * a line in `kinds/index.ts`; storage, versions, catalog routes, browsing and search come with it.
 */
export interface KindDefinition<K extends string = string, D = unknown> {
  /** The plural, as routes and facets say it. */
  kind: K
  singular: string
  /** The shape of a document; what is left out gets its default. */
  document: z.ZodType<D>
  /** Rules beyond the shape. Pointers begin at the document. */
  problems?(document: D): Problem[]
  /** What search finds it by beside its title and slug, as Markdown. */
  text(document: D): string
  /** The content whose text search finds it by as well. */
  content?(document: D): Content
  metadata?(document: D): Metadata
  /** A change in the kind's own terms, for the central patch. Throws ValidationError. */
  delta?: { shape: z.ZodType; apply(document: D, delta: unknown): D }
  /** Fields that the catalog shows beside the document. */
  present?(document: D): Record<string, JsonValue>
  /** Belongs to the document lane: it shows in the tree's profile `document`. */
  isDocument?: boolean
  /** Found and shown only where it is asked for by name. */
  isHidden?: boolean
  /** Fields of the document that follow from its content: they are set with it, and no other change touches them. */
  contentFields?: readonly string[]
  /** Fields of the document that a core resource, which the service brings along, does not show. */
  hiddenCoreFields?: readonly string[]
  /** The route that makes new ones, where the catalog does not. Their content never changes. */
  createdBy?: string
}

/** Keeps the kind's name and document while it is written, and widens it for the registry. */
export const defineKind = <K extends string, D>(kind: KindDefinition<K, D>): KindDefinition<K> => kind

/** The singular name in words. */
export const displayName = ({ singular }: Pick<KindDefinition, 'singular'>): string => singular.replaceAll('_', ' ')

/** Lines of text, without those that are not there. */
export const joinParagraphs = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join('\n\n')
