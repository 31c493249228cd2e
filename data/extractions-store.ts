import type { Tx } from './database.ts'
import { toStorableJson, toStorableText } from './json-text.ts'

/** Returns the hash (sha-256) of the text of a content, or undefined before and after a failed extraction. */
export async function findExtractedText(
  tx: Tx,
  { sha256, media_type }: { sha256: string; media_type: string },
): Promise<string | undefined> {
  const [found] = await tx.query<{ text_sha256: string | null }[]>(
    'select text_sha256 from extractions where sha256 = $1 and media_type = $2',
    [sha256, media_type],
  )
  return found?.text_sha256 ?? undefined
}

/** The outcome of extracting the text of a content as a media type. */
export interface ExtractionRecord {
  sha256: string
  media_type: string
  /** sha-256 of the extracted text. Null when extraction failed. */
  text_sha256: string | null
  title: string | null
  pages: number | null
  characters: number | null
  /** Properties of the document: author, created … */
  metadata: Record<string, string>
  error_code: string | null
  error_message: string | null
}

/** Returns the extractions of these contents for all media types. */
export async function findExtractions(tx: Tx, sha256s: string[]): Promise<ExtractionRecord[]> {
  return tx.query<ExtractionRecord[]>(
    `select sha256, media_type, text_sha256, title, pages, characters, metadata, error_code, error_message
       from extractions where sha256 = any($1::text[])`,
    [sha256s],
  )
}

/** Saves an extraction. A text replaces a failure, and a failure never replaces a text. */
export async function saveExtraction(tx: Tx, extraction: ExtractionRecord): Promise<void> {
  const { sha256, media_type, text_sha256, title, pages, characters, metadata } = extraction
  const { error_code, error_message } = extraction
  await tx.query(
    `insert into extractions as known (sha256, media_type, text_sha256, title, pages, characters, metadata,
                                       error_code, error_message)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (workspace_id, sha256, media_type) do update set
       (text_sha256, title, pages, characters, metadata, error_code, error_message, at) =
       (excluded.text_sha256, excluded.title, excluded.pages, excluded.characters, excluded.metadata,
        excluded.error_code, excluded.error_message, now())
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
