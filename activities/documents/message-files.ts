import { type FileRecord, findFiles } from '../../data/documents/files-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { type FileRef, isModelImage } from '../../domain/documents/files.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import { readContent } from '../../services/documents/contents.ts'
import { toFileRef, useFiles } from '../../services/documents/files.ts'
import type { ReadFileText } from './file-texts.ts'

/** The content of a file, as a model gets it. */
export type FileContent =
  | { type: 'text'; text: string; next_offset?: number }
  | { type: 'image'; bytes: Uint8Array; media_type: string }
  | { type: 'none'; reason: string }

/** Reads files for a model, by id. Earlier ids take precedence within the limits. */
export type ReadMessageFiles = (
  job: JobRef,
  ids: string[],
  options: { takesImages: boolean; signal: AbortSignal },
) => Promise<Map<string, FileContent>>

/** Reads the files of a step. Throws StepError for files that the run may not use. */
export type ReadStepFiles = (
  job: JobRef,
  ids: string[],
  options: { takesImages: boolean; signal: AbortSignal },
) => Promise<{ files: FileRef[]; contents: Map<string, FileContent> }>

export const createReadStepFiles =
  ({ db, readMessageFiles }: { db: Database; readMessageFiles: ReadMessageFiles }): ReadStepFiles =>
  async (job, ids, options) => {
    const files = ids.length === 0 ? [] : await db.inWorkspace(job.workspace_id, tx => useFiles(tx, job, ids))
    const usedIds = files.map(({ id }) => id)
    return { files: files.map(toFileRef), contents: await readMessageFiles(job, usedIds, options) }
  }

interface Deps {
  db: Database
  readFileText: ReadFileText
}

/** Characters of one file, and of all files in a conversation. The model can read the rest with a tool. */
const MAX_FILE_CHARS = 20_000
const MAX_CHARS = 60_000
/** Providers reject larger images. */
const MAX_IMAGE_BYTES = 3_750_000
const MAX_IMAGES = 20

export function createReadMessageFiles({ db, readFileText }: Deps): ReadMessageFiles {
  return async (job, ids, { takesImages, signal }) => {
    const { workspace_id } = job
    const files = ids.length === 0 ? [] : await db.inWorkspace(workspace_id, tx => findFiles(tx, ids))
    let chars = MAX_CHARS
    let images = MAX_IMAGES

    async function readImage({ size, sha256, media_type }: FileRecord): Promise<FileContent> {
      if (!takesImages) return { type: 'none', reason: 'the model does not take images' }
      if (size > MAX_IMAGE_BYTES) return { type: 'none', reason: `images may have at most ${MAX_IMAGE_BYTES} bytes` }
      if (images-- <= 0) return { type: 'none', reason: 'the conversation has too many images' }
      return { type: 'image', bytes: await readContent(db, workspace_id, { sha256, size }, signal), media_type }
    }

    async function readText(file: FileRecord): Promise<FileContent> {
      const limit = Math.min(MAX_FILE_CHARS, chars)
      const page = await readFileText(job, file, { offset: 0, limit }, signal)
      if ('reason' in page) return { type: 'none', ...page }
      chars -= page.text.length
      return { type: 'text', ...page }
    }

    const contents = new Map<string, FileContent>()
    for (const id of ids) {
      const file = files.find(stored => stored.id === id)
      if (!file) contents.set(id, { type: 'none', reason: 'the file was deleted' })
      else contents.set(id, isModelImage(file.media_type) ? await readImage(file) : await readText(file))
    }
    return contents
  }
}
