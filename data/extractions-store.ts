import type { Tx } from './database.ts'
import { toStorableJson, toStorableText } from './json-text.ts'

/** The content (sha-256) that holds the text of another one; undefined before it was extracted, or when it could not be. */
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

/** What was read out of a content, taken as a media type; or why nothing could be. */
export interface ExtractionRecord {
  sha256: string
  media_type: string
  /** The content that holds the text; null when there is none because reading failed. */
  text_sha256: string | null
  title: string | null
  pages: number | null
  characters: number | null
  /** Of the document itself: author, created … */
  metadata: Record<string, string>
  error_code: string | null
  error_message: string | null
}

/** Of these contents, taken as any media type. */
export async function findExtractions(tx: Tx, sha256s: string[]): Promise<ExtractionRecord[]> {
  return tx.query<ExtractionRecord[]>(
    `select sha256, media_type, text_sha256, title, pages, characters, metadata, error_code, error_message
       from extractions where sha256 = any($1::text[])`,
    [sha256s],
  )
}

/** A text that was read stays: it makes up for a failure, and no failure undoes it. */
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

/** Forgets a failure, so that reading can be tried again. */
export async function forgetFailure(tx: Tx, sha256: string, media_type: string): Promise<void> {
  await tx.query('delete from extractions where sha256 = $1 and media_type = $2 and text_sha256 is null', [
    sha256,
    media_type,
  ])
}
