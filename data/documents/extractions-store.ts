import type { Tx } from '../shared/database.ts'
import { toStorableText } from '../../domain/shared/json/storable.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { integer, list, omit, pick, uuid, type Row } from '../shared/table.ts'
import { extractionsTable } from './tables.ts'

/**
 * Returns the SHA-256 of the text extracted from a content. Undefined if no text was extracted or extraction failed.
 */
export async function findExtractedText(
  tx: Tx,
  { sha256, read_type }: { sha256: string; read_type: string },
): Promise<string | undefined> {
  const row = await selectOne(
    tx,
    pick(extractionsTable, 'text_sha256'),
    'select text_sha256 from extractions where sha256 = $1 and media_type = $2',
    [sha256, read_type],
  )
  return row?.text_sha256 ?? undefined
}

const EXTRACTION = omit(extractionsTable, 'workspace_id', 'at')
/** The result of extracting text from a content as a given media type. */
export type ExtractionRecord = Row<typeof EXTRACTION>

/** Returns the extractions of these contents, for every media type. */
export async function findExtractions(tx: Tx, sha256s: string[]): Promise<ExtractionRecord[]> {
  return select(tx, EXTRACTION, `select ${list(EXTRACTION)} from extractions where sha256 = any($1::text[])`, [sha256s])
}

/** Saves an extraction. Extracted text replaces a failure, but a failure never replaces extracted text. */
export async function saveExtraction(tx: Tx, extraction: ExtractionRecord): Promise<void> {
  const { sha256, media_type, text_sha256, title, pages, characters, metadata } = extraction
  const { page_offsets, error_code, error_message } = extraction
  await insert(
    tx,
    extractionsTable,
    {
      sha256,
      media_type,
      text_sha256,
      title: title === null ? null : toStorableText(title),
      pages,
      characters,
      metadata,
      error_code,
      error_message: error_message === null ? null : toStorableText(error_message),
      page_offsets,
    },
    `on conflict (workspace_id, sha256, media_type) do update set
       (text_sha256, title, pages, characters, metadata, error_code, error_message, page_offsets, at) =
       (excluded.text_sha256, excluded.title, excluded.pages, excluded.characters, excluded.metadata,
        excluded.error_code, excluded.error_message, excluded.page_offsets, now())
      where extractions.text_sha256 is null`,
  )
}

/** Deletes a failed extraction, so that extraction is attempted again. Returns whether there was one. */
export async function forgetFailure(tx: Tx, sha256: string, media_type: string): Promise<boolean> {
  const forgotten = await execute(
    tx,
    'delete from extractions where sha256 = $1 and media_type = $2 and text_sha256 is null',
    [sha256, media_type],
  )
  return forgotten > 0
}

const ADDRESS = { resource_id: uuid(), version: integer(), ordinal: integer() }
/** The location of a chunk: an asset, a version and an ordinal. */
export type ChunkAddress = Row<typeof ADDRESS>

const PLACED = { ...ADDRESS, page: integer() }

/** Returns the page on which each chunk starts, counting from 1. Omits chunks from formats without pages. */
export async function findPages(tx: Tx, chunks: ChunkAddress[]): Promise<Row<typeof PLACED>[]> {
  return select(
    tx,
    PLACED,
    `select ${list(ADDRESS, 'wanted')}, pages.page
       from unnest($1::uuid[], $2::integer[], $3::integer[]) as wanted (resource_id, version, ordinal)
       join resource_versions saved on saved.resource_id = wanted.resource_id and saved.version = wanted.version
       join text_chunks chunk on chunk.resource_id = wanted.resource_id and chunk.version = wanted.version
                             and chunk.ordinal = wanted.ordinal
       join extractions on extractions.sha256 = saved.document ->> 'sha256'
                       and extractions.media_type = saved.document ->> 'media_type'
      cross join lateral (select count(*)::integer as page from unnest(extractions.page_offsets) start
                           where start <= chunk.start_offset) pages
      where pages.page > 0`,
    [
      chunks.map(({ resource_id }) => resource_id),
      chunks.map(({ version }) => version),
      chunks.map(({ ordinal }) => ordinal),
    ],
  )
}
