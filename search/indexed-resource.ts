/** A chunk of a resource's text, with its vector. */
export interface IndexedChunk {
  ordinal: number
  text: string
  heading: string | null
  /** The length must equal the dimensions of the index, and at least one number must not be zero. */
  vector: Float32Array
}

type Scalar = string | number | boolean | null

/** The fields of a live resource that are indexed. */
export interface IndexedResource {
  workspace_id: string
  resource_id: string
  /** Increases with every change to the resource, including its content and path. */
  revision: bigint | string
  kind: string
  slug: string
  title: string
  /** The folder path, such as `/a/b`. `/` is the root. */
  path: string
  brain_id: string | null
  version: number
  /** In a version index, the last version that contains the chunk. Absent while the head contains the chunk. */
  last_version?: number
  /**
   * Metadata for filters. Entries whose name exceeds 256 characters or whose value exceeds 1,024 characters cannot be
   * used in filters.
   */
  metadata: Record<string, Scalar | Scalar[]>
  /** ISO 8601. */
  created_at: string
  updated_at: string
  /** The chunks in text order. */
  chunks: IndexedChunk[]
  /** The maximum number of parts that earlier writes of the resource may have left in the index. */
  formerParts: number
}

/** A resource to remove from the index. */
export interface RemovedResource {
  resource_id: string
  revision: bigint | string
  formerParts: number
}

export type Change = { put: IndexedResource } | { remove: RemovedResource }

/** The outcome of a change. On success, the index contains this revision or a newer one, in `parts` parts. */
export type WriteResult =
  | { ok: true; parts: number; index: string }
  /** `retry` is false when another attempt would also fail. */
  | { ok: false; retry: boolean; reason: string }

/** Limits the size of an index document, and thereby of a single read or write. */
export const CHUNKS_PER_PART = 128

/** Returns the document id of a part. */
export const buildPartId = (resourceId: string, part: number): string => `${resourceId}:${part}`

/** Extracts the resource id from the document id of a part. */
export const parseResourceId = (id: string): string => id.slice(0, id.lastIndexOf(':'))

/** Identifies a chunk in a version index by the first version in its unbroken run and its ordinal in that version. */
export interface VersionedChunk {
  resource_id: string
  version: number
  ordinal: number
}

/** Returns the id of a chunk in a version index, where each chunk is its own resource. */
export const buildVersionedId = ({ resource_id, version, ordinal }: VersionedChunk): string =>
  `${resource_id}@${version}.${ordinal}`

/** Returns the prefix that the ids of all chunks of a resource share. */
export const buildVersionedPrefix = (resource_id: string): string => `${resource_id}@`

export function parseVersionedId(id: string): VersionedChunk {
  const [resource_id = '', place = ''] = id.split('@')
  const [version, ordinal] = place.split('.').map(Number)
  return { resource_id, version: version ?? 0, ordinal: ordinal ?? 0 }
}

/**
 * Returns the number of parts of a resource. A resource without text has one part, so that searches can find it by
 * its title.
 */
export const countParts = ({ chunks }: { chunks: readonly unknown[] }): number =>
  Math.max(1, Math.ceil(chunks.length / CHUNKS_PER_PART))
