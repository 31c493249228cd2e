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

interface Options {
  /** Whether the model takes images. */
  takesImages: boolean
  signal: AbortSignal
}

/** Reads the files of a conversation for a model, by id. Earlier ids take precedence within the limits. */
export type ReadMessageFiles = (job: JobRef, ids: string[], options: Options) => Promise<Map<string, FileContent>>

/** Reads the files of a step for a model. Throws StepError for files that the run may not use. */
export type ReadStepFiles = (
  job: JobRef,
  ids: string[],
  options: Options,
) => Promise<{ files: FileRef[]; contents: Map<string, FileContent> }>

interface Deps {
  db: Database
  readFileText: ReadFileText
}

export const createReadMessageFiles =
  (deps: Deps): ReadMessageFiles =>
  async (job, ids, options) => {
    if (ids.length === 0) return new Map()
    const files = await deps.db.inWorkspace(job.workspace_id, tx => findFiles(tx, ids))
    const read = createReader(deps, job, options)
    const contents = new Map<string, FileContent>()
    for (const id of ids) {
      const file = files.find(stored => stored.id === id)
      contents.set(id, file ? await read(file) : { type: 'none', reason: 'the file was deleted' })
    }
    return contents
  }

export const createReadStepFiles =
  (deps: Deps): ReadStepFiles =>
  async (job, ids, options) => {
    const files = ids.length === 0 ? [] : await deps.db.inWorkspace(job.workspace_id, tx => useFiles(tx, job, ids))
    const read = createReader(deps, job, options)
    const contents = new Map<string, FileContent>()
    for (const file of files) contents.set(file.id, await read(file))
    return { files: files.map(toFileRef), contents }
  }

/** Characters of one file, and of all files in a conversation. The model can read the rest with a tool. */
const MAX_FILE_CHARS = 20_000
const MAX_CHARS = 60_000
/** Providers reject larger images. */
const MAX_IMAGE_BYTES = 3_750_000
const MAX_IMAGES = 20

/** Returns a function that reads one file after another, until the limits of a call are reached. */
function createReader({ db, readFileText }: Deps, job: JobRef, { takesImages, signal }: Options) {
  const { workspace_id } = job
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

  return (file: FileRecord): Promise<FileContent> => (isModelImage(file.media_type) ? readImage(file) : readText(file))
}
