import { findContentRange } from '../../data/documents/contents-store.ts'
import { findExtractions } from '../../data/documents/extractions-store.ts'
import type { FileRecord } from '../../data/documents/files-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { formatReadType } from '../../domain/documents/documents.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import { hasText, isAudio } from '../../services/documents/known-types.ts'
import { DocumentError } from '../../services/documents/reading/document-error.ts'
import type { TextExtraction } from './extract-document.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

/** Part of a file's text, or the reason why the file has no text. */
type FilePage = { text: string; next_offset?: number } | { reason: string }

/** Reads up to `limit` characters of a file's text, and first extracts the text if that has not happened yet. */
export type ReadFileText = (
  job: JobRef,
  file: FileRecord,
  page: { offset: number; limit: number },
  signal: AbortSignal,
) => Promise<FilePage>

interface Deps {
  db: Database
  textExtraction: TextExtraction
}

export function createReadFileText({ db, textExtraction }: Deps): ReadFileText {
  async function findText({ workspace_id }: JobRef, file: FileRecord) {
    const readType = formatReadType({ ...file, charset: file.charset ?? undefined })
    const records = await db.inWorkspace(workspace_id, tx => findExtractions(tx, [file.sha256]))
    return records.find(record => record.media_type === readType)
  }

  async function extract(job: JobRef, file: FileRecord, signal: AbortSignal): Promise<void> {
    const { id, file_name, sha256, size, media_type, charset } = file
    const document = { asset_id: id, version: 1, title: file_name, sha256, size, media_type, file_name }
    try {
      await textExtraction.extract({ job, document: { ...document, charset: charset ?? undefined } }, signal)
    } catch (error) {
      // The extraction has stored the reason.
      if (!(error instanceof DocumentError)) throw error
    }
  }

  return async (job, file, { offset, limit }, signal) => {
    if (isAudio(file.media_type) || !hasText(file.media_type))
      return { reason: `files of the type ${file.media_type} have no text` }
    if (!(await findText(job, file))) await extract(job, file, signal)
    const record = await findText(job, file)
    if (!record?.text_sha256) return { reason: record?.error_message ?? 'the text could not be extracted' }
    return readTextPage(db, job.workspace_id, record.text_sha256, { offset, limit })
  }
}

/** Reads up to `limit` characters of a stored text. */
export async function readTextPage(
  db: Database,
  workspaceId: string,
  sha256: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ text: string; next_offset?: number }> {
  // A UTF-8 character has at most four bytes. The additional character shows whether there is another page.
  const last = (offset + limit + 1) * 4
  const bytes = await db.inWorkspace(workspaceId, tx => findContentRange(tx, sha256, 0, last))
  const text = new TextDecoder().decode(bytes, { stream: true })
  const page = cut(text.slice(offset), limit)
  const next_offset = offset + page.length
  // A given offset may be within a character.
  return { text: page.toWellFormed(), ...(text.length > next_offset && { next_offset }) }
}
