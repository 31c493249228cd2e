/** A chunk of a resource's text, with its vector. */
export interface IndexedChunk {
  ordinal: number
  text: string
  heading: string | null
  /** Its length equals the dimensions of the index. It is not all zero. */
  vector: Float32Array
}

type Scalar = string | number | boolean | null

/** The indexed fields of a live resource. */
export interface IndexedResource {
  workspace_id: string
  resource_id: string
  /** Increases with each change of the resource, its content or its path. */
  revision: bigint | string
  kind: string
  slug: string
  title: string
  /** The folder, as `/a/b`; `/` is the root. */
  path: string
  brain_id: string | null
  version: number
  /** In an index of versions: the last version that has the chunk; absent while the head has it. */
  last_version?: number
  /** Metadata for filters. Names above 256 characters and values above 1,024 characters cannot be filtered by. */
  metadata: Record<string, Scalar | Scalar[]>
  /** ISO 8601. */
  created_at: string
  updated_at: string
  /** In the order of the text. */
  chunks: IndexedChunk[]
  /** An upper bound of the parts that former writes of the resource may have left. */
  formerParts: number
}

/** A resource to remove from the index. */
export interface RemovedResource {
  resource_id: string
  revision: bigint | string
  formerParts: number
}

export type Change = { put: IndexedResource } | { remove: RemovedResource }

/** The outcome of a change: this index holds it or a newer revision, as `parts` parts. */
export type WriteResult =
  | { ok: true; parts: number; index: string }
  /** `retry` is false when a repetition would fail again. */
  | { ok: false; retry: boolean; reason: string }

/** Bounds the size of a document of the index, and of one read or write. */
export const CHUNKS_PER_PART = 128

/** Returns the id of a part's document. */
export const buildPartId = (resourceId: string, part: number): string => `${resourceId}:${part}`

/** Returns the resource of a part's document. */
export const parseResourceId = (id: string): string => id.slice(0, id.lastIndexOf(':'))

/** A chunk in an index of versions: the first version that has it, without a gap, and its ordinal there. */
export interface VersionedChunk {
  resource_id: string
  version: number
  ordinal: number
}

/** Returns the id under which an index of versions holds a chunk, as a resource of its own. */
export const buildVersionedId = ({ resource_id, version, ordinal }: VersionedChunk): string =>
  `${resource_id}@${version}.${ordinal}`

/** Returns the start of the ids of all chunks of a resource. */
export const buildVersionedPrefix = (resource_id: string): string => `${resource_id}@`

export function parseVersionedId(id: string): VersionedChunk {
  const [resource_id = '', place = ''] = id.split('@')
  const [version, ordinal] = place.split('.').map(Number)
  return { resource_id, version: version ?? 0, ordinal: ordinal ?? 0 }
}

/** Returns the number of parts of a resource. A resource without text has one part, which is found by its title. */
export const countParts = ({ chunks }: { chunks: readonly unknown[] }): number =>
  Math.max(1, Math.ceil(chunks.length / CHUNKS_PER_PART))
