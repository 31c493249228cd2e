import { setImmediate as breathe } from 'node:timers/promises'
import { isFilterable } from './index/mapping.ts'
import { buildPartId, CHUNKS_PER_PART, countParts } from './indexed-resource.ts'
import type { Change, IndexedChunk, IndexedResource, RemovedResource } from './indexed-resource.ts'

/** The resource fields that are repeated in each part. */
const FIELDS = [
  'workspace_id',
  'resource_id',
  'kind',
  'slug',
  'title',
  'path',
  'brain_id',
  'version',
  'last_version',
  'created_at',
  'updated_at',
] as const

/** One operation of a bulk request. */
export interface Operation {
  /** The index of the change that the operation belongs to. */
  change: number
  isRemoval: boolean
  /** The lines of the request, without line breaks. */
  lines: string[]
  bytes: number
}

/** Generates the operations for a list of changes, one part at a time. Yields to the event loop after each part. */
export async function* generateOperations(changes: Change[]): AsyncGenerator<Operation> {
  for (const [change, each] of changes.entries()) {
    if ('put' in each) {
      for (let part = 0; part < countParts(each.put); part++) {
        yield createOperation(change, [
          renderAction('index', each.put, part),
          JSON.stringify(buildDocument(each.put, part)),
        ])
        await breathe()
      }
    }
    for (const [resource, part] of listRemovals(each))
      yield createOperation(change, [renderAction('delete', resource, part)], true)
  }
}

/**
 * Lists the parts to delete. Each removed resource has at least one, because the revision of the deleted part blocks
 * older writes.
 */
function listRemovals(change: Change): [RemovedResource, number][] {
  const [resource, keptParts] = 'put' in change ? [change.put, countParts(change.put)] : [change.remove, 0]
  const former = 'put' in change ? resource.formerParts : Math.max(1, resource.formerParts)
  return Array.from({ length: Math.max(0, former - keptParts) }, (_, n) => [resource, keptParts + n])
}

function createOperation(change: number, lines: string[], isRemoval = false): Operation {
  return { change, isRemoval, lines, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) }
}

/** Renders an action with an external version. Elasticsearch then rejects revisions lower than the stored one. */
function renderAction(
  type: 'index' | 'delete',
  { resource_id, revision }: Omit<RemovedResource, 'formerParts'>,
  part: number,
): string {
  return JSON.stringify({
    [type]: { _id: buildPartId(resource_id, part), version: String(revision), version_type: 'external' },
  })
}

function buildDocument(resource: IndexedResource, part: number): object {
  return {
    ...Object.fromEntries(FIELDS.map(field => [field, resource[field]])),
    part,
    metadata: Object.fromEntries(Object.entries(resource.metadata).filter(([name]) => isFilterable(name))),
    chunks: resource.chunks.slice(part * CHUNKS_PER_PART, (part + 1) * CHUNKS_PER_PART).map(encodeChunk),
  }
}

const encodeChunk = ({ ordinal, text, heading, vector }: IndexedChunk) => ({
  ordinal,
  text,
  heading,
  vector: encodeVector(vector),
})

/**
 * Returns the vector as base64 of big-endian floats. The result is a quarter of the size of JSON numbers, and
 * Elasticsearch need not parse numbers.
 */
function encodeVector({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength))
    .swap32()
    .toString('base64')
}
