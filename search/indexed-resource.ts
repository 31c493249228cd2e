/** One piece of a resource's text, with its vector. */
export interface IndexedChunk {
  ordinal: number
  text: string
  heading: string | null
  /** As long as the index is wide; not all zero. */
  vector: Float32Array
}

type Scalar = string | number | boolean | null

/** What search knows of a live resource. */
export interface IndexedResource {
  workspace_id: string
  resource_id: string
  /** Grows with every change of the resource, of its content or its place. */
  revision: bigint | string
  kind: string
  slug: string
  title: string
  /** The folder, as `/a/b`; `/` is the root. */
  path: string
  brain_id: string | null
  version: number
  /** What can be filtered by, save for names above 256 characters and values above 1,024. */
  metadata: Record<string, Scalar | Scalar[]>
  /** ISO 8601. */
  created_at: string
  updated_at: string
  /** In the order of the text. */
  chunks: IndexedChunk[]
  /** At least as many as any former write of it may have left. */
  formerParts: number
}

/** A resource that is to be found no more. */
export interface RemovedResource {
  resource_id: string
  revision: bigint | string
  formerParts: number
}

export type Change = { put: IndexedResource } | { remove: RemovedResource }

/** What became of a change: the index of this name has it, or something newer. `parts`: how many parts it is. */
export type WriteResult =
  | { ok: true; parts: number; index: string }
  /** `retry`: false when the same again fails again. */
  | { ok: false; retry: boolean; reason: string }

/** Bounds the size of a document, and with it of what is read and written at once. */
export const CHUNKS_PER_PART = 128

/** The id of a part's document. */
export const toPartId = (resourceId: string, part: number): string => `${resourceId}:${part}`

/** The resource that a document is a part of. */
export const toResourceId = (id: string): string => id.slice(0, id.lastIndexOf(':'))

/** How many documents a resource is. One without text is found by its title: it has a part too. */
export const countParts = ({ chunks }: { chunks: readonly unknown[] }): number =>
  Math.max(1, Math.ceil(chunks.length / CHUNKS_PER_PART))
