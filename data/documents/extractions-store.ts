import type { Tx } from '../shared/database.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'

/** Returns the hash (sha-256) of the text of a content, or undefined before and after a failed extraction. */
export async function findExtractedText(
  tx: Tx,
  { sha256, read_type }: { sha256: string; read_type: string },
): Promise<string | undefined> {
  const [found] = await tx.query<{ text_sha256: string | null }[]>(
    'select text_sha256 from extractions where sha256 = $1 and media_type = $2',
    [sha256, read_type],
  )
  return found?.text_sha256 ?? undefined
}

/** The outcome of extracting the text of a content as a type. */
export interface ExtractionRecord {
  sha256: string
  /** The media type, with the charset of text that is not UTF-8. */
  media_type: string
  /** sha-256 of the extracted text. Null when extraction failed. */
  text_sha256: string | null
  title: string | null
  pages: number | null
  /** The offset of each page in the text; null for a format without pages. */
  page_offsets: number[] | null
  characters: number | null
  /** Properties of the document: author, created … */
  metadata: Record<string, string>
  error_code: string | null
  error_message: string | null
}

/** Returns the extractions of these contents for all media types. */
export async function findExtractions(tx: Tx, sha256s: string[]): Promise<ExtractionRecord[]> {
  return tx.query<ExtractionRecord[]>(
    `select sha256, media_type, text_sha256, title, pages, page_offsets, characters, metadata, error_code, error_message
       from extractions where sha256 = any($1::text[])`,
    [sha256s],
  )
}

/** Saves an extraction. A text replaces a failure, and a failure never replaces a text. */
export async function saveExtraction(tx: Tx, extraction: ExtractionRecord): Promise<void> {
  const { sha256, media_type, text_sha256, title, pages, characters, metadata } = extraction
  const { page_offsets, error_code, error_message } = extraction
  await tx.query(
    `insert into extractions as known (sha256, media_type, text_sha256, title, pages, characters, metadata,
                                       error_code, error_message, page_offsets)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (workspace_id, sha256, media_type) do update set
       (text_sha256, title, pages, characters, metadata, error_code, error_message, page_offsets, at) =
       (excluded.text_sha256, excluded.title, excluded.pages, excluded.characters, excluded.metadata,
        excluded.error_code, excluded.error_message, excluded.page_offsets, now())
      where known.text_sha256 is null`,
    [
      sha256,
      media_type,
      text_sha256,
      title === null ? null : toStorableText(title),
      pages,
      characters,
      toStorableJson(metadata),
      error_code,
      error_message === null ? null : toStorableText(error_message),
      page_offsets,
    ],
  )
}

/** Deletes a failed extraction, so that the next one can succeed. Returns whether there was one. */
export async function forgetFailure(tx: Tx, sha256: string, media_type: string): Promise<boolean> {
  const forgotten = await tx.query<unknown[]>(
    `with forgotten as (delete from extractions where sha256 = $1 and media_type = $2 and text_sha256 is null returning 1)
     select 1 from forgotten`,
    [sha256, media_type],
  )
  return forgotten.length > 0
}

/** A chunk of a version of an asset. */
export interface ChunkAddress {
  resource_id: string
  version: number
  ordinal: number
}

/** Returns the pages, from 1, on which chunks of assets begin. Chunks of formats without pages are left out. */
export async function findPages(tx: Tx, chunks: ChunkAddress[]): Promise<(ChunkAddress & { page: number })[]> {
  return tx.query(
    `select wanted.resource_id, wanted.version, wanted.ordinal, pages.page
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
