import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, integer, list, listTypes, pick, type Row } from '../shared/table.ts'
import { chunkVectorsTable, textChunksTable } from './tables.ts'

const CHUNK = {
  ...pick(textChunksTable, 'ordinal', 'heading', 'text', 'sha256'),
  /** The start of the chunk, as a UTF-16 offset in the text. */
  start: computed(integer(), 'start_offset'),
  end: computed(integer(), 'end_offset'),
}
/** A chunk of text from a resource version. */
export type TextChunk = Row<typeof CHUNK>

type ChunkOwner = Pick<Row<typeof textChunksTable.columns>, 'resource_id' | 'version'>

/** Returns the chunks of a version in text order. */
export async function findChunks(tx: Tx, { resource_id, version }: ChunkOwner): Promise<TextChunk[]> {
  return select(
    tx,
    CHUNK,
    `select ${list(CHUNK)}
       from text_chunks where resource_id = $1 and version = $2 order by ordinal`,
    [resource_id, version],
  )
}

const INSERTED = pick(textChunksTable, 'ordinal', 'start_offset', 'end_offset', 'heading', 'text', 'sha256')

/**
 * Replaces the chunks of a version. Writes no chunks for a purged resource. When several indexers split the same text
 * at once, the last one wins.
 */
export async function replaceChunks(tx: Tx, { resource_id, version }: ChunkOwner, chunks: TextChunk[]): Promise<void> {
  const insert = execute(
    tx,
    `insert into text_chunks (resource_id, version, ${list(INSERTED)})
     select $1, $2, chunk.*
       from resources, json_to_recordset($3::json) as chunk (${listTypes(INSERTED)})
      where resources.id = $1 and resources.purged_at is null for key share of resources
     on conflict (resource_id, version, ordinal) do update
       set (start_offset, end_offset, heading, text, sha256)
         = (excluded.start_offset, excluded.end_offset, excluded.heading, excluded.text, excluded.sha256)`,
    [
      resource_id,
      version,
      toStorableJson(chunks.map(({ start, end, ...rest }) => ({ ...rest, start_offset: start, end_offset: end }))),
    ],
  )
  const remove = execute(
    tx,
    'delete from text_chunks where resource_id = $1 and version = $2 and not ordinal = any($3::integer[])',
    [resource_id, version, chunks.map(chunk => chunk.ordinal)],
  )
  await Promise.all([insert, remove])
}

/** Returns the existing vectors for these texts, by text hash. */
export async function findVectors(tx: Tx, model: string, sha256s: string[]): Promise<Map<string, Float32Array>> {
  const rows = await select(
    tx,
    pick(chunkVectorsTable, 'sha256', 'vector'),
    'select sha256, vector from chunk_vectors where model = $1 and sha256 = any($2::text[])',
    [model, sha256s],
  )
  return new Map(rows.map(({ sha256, vector }) => [sha256, toFloats(vector)]))
}

/** Counts the existing vectors for these texts. */
export async function countVectors(tx: Tx, model: string, sha256s: string[]): Promise<number> {
  const row = await selectOne(
    tx,
    { count: bigint() },
    'select count(*) from chunk_vectors where model = $1 and sha256 = any($2::text[])',
    [model, sha256s],
  )
  return requireRow(row).count
}

export async function saveVectors(tx: Tx, model: string, vectors: Map<string, Float32Array>): Promise<void> {
  await execute(
    tx,
    `insert into chunk_vectors (model, sha256, vector)
     select $1, made.* from unnest($2::text[], $3::bytea[]) as made (sha256, vector) order by sha256 on conflict do nothing`,
    [model, [...vectors.keys()], [...vectors.values()].map(toBytes)],
  )
}

/** Returns the vector as little-endian float32, which is the byte order of typed arrays on all supported machines. */
const toBytes = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** Copies the bytes, because the driver's buffer may be a slice of a larger one that starts at an unaligned offset. */
const toFloats = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)
