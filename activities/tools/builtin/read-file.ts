import { findFilesOfRun } from '../../../data/documents/files-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'
import type { ReadFileText } from '../../documents/file-texts.ts'
import { invalidArgumentsError } from '../errors.ts'
import type { Builtin } from './builtin.ts'
import { MAX_TEXT_OFFSET, PAGE_CHARS } from './read-resource.ts'

export interface ReadFileDeps {
  db: Database
  readFileText: ReadFileText
}

/** Reads a file of the run, of one of its parents, or of their threads, page by page. */
export function createReadFile({ db, readFileText }: ReadFileDeps): Builtin {
  return async ({ args, job, signal }) => {
    const { file_id, offset = 0 } = args as { file_id: string; offset?: number }
    if (offset > MAX_TEXT_OFFSET)
      throw invalidArgumentsError([{ pointer: '/offset', message: `must be at most ${MAX_TEXT_OFFSET}` }])
    const [file] = isUuid(file_id)
      ? await db.inWorkspace(job.workspace_id, tx => findFilesOfRun(tx, [file_id], job.job_id))
      : []
    if (!file) throw invalidArgumentsError([{ pointer: '/file_id', message: 'must be the id of a file of this run' }])
    const { id, file_name, media_type, size } = file
    const page = await readFileText(job, file, { offset, limit: PAGE_CHARS }, signal)
    const text = 'reason' in page ? { text: null, note: page.reason } : page
    return { id, file_name, media_type, size, ...text }
  }
}
