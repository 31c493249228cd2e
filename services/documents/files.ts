import { randomUUIDv7 } from 'node:crypto'
import { writeAudit } from '../../data/audit/audit-store.ts'
import { saveContent } from '../../data/documents/contents-store.ts'
import {
  deleteOldestUnused,
  type FileOwner,
  type FileRecord,
  findFiles,
  findFilesOfRun,
  findVisibleFile,
  insertFile,
  lockFiles,
  setFileOwner,
  sumUnusedFiles,
} from '../../data/documents/files-store.ts'
import { findJob } from '../../data/runs/jobs-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { isVisitorName, type Principal } from '../../domain/access/principal.ts'
import { requirePermission } from '../../domain/access/rights.ts'
import { listFileValues } from '../../domain/documents/file-fields.ts'
import type { FileRef } from '../../domain/documents/files.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { JsonSchema, JsonValue } from '../../domain/shared/json/json.ts'
import { isUuid } from '../../domain/shared/uuid.ts'
import type { FileView } from '../../contract/documents/file.ts'
import { contextBrain, visibleBrains } from '../access/brains.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { buildDownload, type Download } from './download.ts'
import { inspect } from './inspect.ts'
import type { IngestRequest } from './ingest.ts'

/** A file to store: its content, name and declared type. */
export type FileUpload = Pick<IngestRequest, 'content' | 'from' | 'mime_type' | 'file_name'>

/**
 * Files in conversations and forms. An unused file is visible to its uploader, any other file to everyone who may read
 * its thread or run. Methods throw NotFound for other files.
 */
export interface FilesService {
  /**
   * Stores a file. Until a message or an answer uses it, it belongs to the uploader. If a file with the id exists,
   * returns it and stores nothing. Deletes a visitor's oldest unused files above the limit. Throws Forbidden,
   * ValidationError, UnsupportedMediaType, PayloadTooLarge, and Conflict for too many unused files of anyone else.
   */
  upload(principal: Principal, upload: FileUpload, id?: string): Promise<FileView>
  read(principal: Principal, id: string): Promise<FileView>
  content(principal: Principal, id: string): Promise<Download>
}

/** Maximum total size of an uploader's unused files. */
const MAX_UNUSED_BYTES = 104_857_600

export function createFiles({ db, maxBytes }: { db: Database; maxBytes: number }): FilesService {
  return {
    async upload(principal, upload, id = randomUUIDv7()) {
      requirePermission(principal, 'conversations:write', 'jobs:start', 'interventions:answer')
      const brain_id = contextBrain(principal)
      const { media_type, charset } = await inspect(upload, maxBytes)
      const { content, file_name = 'file' } = upload
      const size = content.bytes.byteLength
      return db.inWorkspace(principal.workspace_id, async tx => {
        const { workspace_id, actor } = principal
        const excess = (await sumUnusedFiles(tx, workspace_id, actor)) + size - MAX_UNUSED_BYTES
        const [existing] = await findFiles(tx, [id])
        if (existing) return presentFile(existing)
        if (excess > 0) {
          if (!isVisitorName(actor)) throw unusedFilesError()
          // All visitors with a share token are one uploader, so one of them could stop the uploads of the others.
          await deleteOldestUnused(tx, actor, excess)
        }
        await saveContent(tx, content)
        const { sha256 } = content
        const row = { id, actor, file_name, media_type, charset: charset ?? null, size, sha256 }
        const file = await insertFile(tx, row)
        const details = { media_type, size }
        await writeAudit(tx, principal, { action: 'file.create', target: file.id, brain_id, after: row, details })
        return presentFile(file)
      })
    },

    read: (principal, id) =>
      db.inWorkspace(principal.workspace_id, async tx => presentFile(await getFile(tx, principal, id))),

    async content(principal, id) {
      const file = await db.inWorkspace(principal.workspace_id, tx => getFile(tx, principal, id))
      return downloadFile(db, principal.workspace_id, file)
    },
  }
}

const unusedFilesError = () =>
  new Conflict(
    `Your files that no message uses may have at most ${MAX_UNUSED_BYTES} bytes. Ganglion deletes them after a day`,
  )

const isUnused = ({ trace_id, job_id }: FileRecord): boolean => trace_id === null && job_id === null

/** Throws NotFound for a file that the principal may not read, and Forbidden without the permission. */
async function getFile(tx: Tx, principal: Principal, id: string): Promise<FileRecord> {
  const file = await findVisibleFile(tx, id, visibleBrains(principal))
  if (!file || (isUnused(file) && file.actor !== principal.actor)) throw new NotFound('File')
  if (!isUnused(file)) requirePermission(principal, file.trace_id === null ? 'jobs:read' : 'conversations:read')
  return file
}

export const downloadFile = (db: Database, workspaceId: string, file: FileRecord): Download =>
  buildDownload(db, workspaceId, { ...file, charset: file.charset ?? undefined })

/** Files to attach. `at` is the pointer of the list or value that names them. */
interface Attachment {
  ids: string[]
  owner: FileOwner
  at: string[]
}

/**
 * Makes files part of a thread or run, and returns them in order. Throws ValidationError unless each file is unused
 * and was uploaded by the principal, or already belongs to the thread or run.
 */
export async function attachFiles(tx: Tx, principal: Principal, { ids, owner, at }: Attachment): Promise<FileRecord[]> {
  if (ids.length === 0) return []
  const files = await lockFiles(tx, ids.filter(isUuid))
  const ordered = ids.map(id =>
    files.find(file => file.id === id.toLowerCase() && isAttachable(principal, owner, file)),
  )
  const problems = ordered.flatMap((file, i) =>
    file ? [] : [{ pointer: at[i] ?? '', message: 'must be the id of a file that you have uploaded for this purpose' }],
  )
  if (problems.length > 0) throw new ValidationError('A file does not exist, or belongs to something else', problems)
  await setFileOwner(tx, ids, owner)
  return ordered.filter(file => file !== undefined)
}

/**
 * Returns files for a step of a run, in order. Files of the run, of its parents and of their threads can be used. An
 * unused file of the requester becomes part of the outermost run. Throws StepError for other files.
 */
export async function useFiles(tx: Tx, { job_id, root_job_id }: JobRef, ids: string[]): Promise<FileRecord[]> {
  const own = await findFilesOfRun(tx, ids.filter(isUuid), job_id)
  const find = (files: FileRecord[], id: string) => files.find(file => file.id === id.toLowerCase())
  const others = ids.filter(id => isUuid(id) && !find(own, id))
  const root = others.length > 0 ? await findJob(tx, root_job_id) : undefined
  // A concurrent step of the run may use the same files first.
  const usable = (await lockFiles(tx, others)).filter(
    file => root && isAttachable({ actor: root.requester }, getFileOwner(root), file),
  )
  const files = ids.map(id => find(own, id) ?? find(usable, id))
  const problems = files.flatMap((file, i) => (file ? [] : [`with.files.${i}: must be the id of a file of this run`]))
  if (problems.length > 0) throw new StepError('NODE_INPUT_INVALID', problems.join('; '))
  if (root) await setFileOwner(tx, others, getFileOwner(root))
  return files.filter(file => file !== undefined)
}

/** Returns the owner of the files that a run gets: its thread or, without a thread, the run. */
export const getFileOwner = ({ job_id, trace_id }: { job_id: string; trace_id: string | null }): FileOwner =>
  trace_id === null ? { job_id } : { trace_id }

/** Maximum number of files in an answer or a run's input. */
const MAX_VALUES = 50

/** A value that matches its schema, regardless of the limits for files. Pointers start with `at`. */
export interface FormValue {
  schema: JsonSchema
  value: JsonValue
  at: string
}

/**
 * Makes the files in file fields part of a thread or run. Throws ValidationError for a file that the principal may not
 * use, or that does not fit its field.
 */
export async function attachFileValues(
  evaluator: Evaluator,
  tx: Tx,
  principal: Principal,
  owner: FileOwner,
  { schema, value, at }: FormValue,
): Promise<void> {
  const values = listFileValues(schema, value, at)
  if (values.length === 0) return
  if (values.length > MAX_VALUES) throw new ValidationError(`At most ${MAX_VALUES} files can be sent at once`)
  const [ids, pointers] = [values.map(({ id }) => id), values.map(({ pointer }) => pointer)]
  const files = (await attachFiles(tx, principal, { ids, owner, at: pointers })).map(toFileRef)
  const { workspace_id } = principal
  const problems = await evaluator.evaluate(workspace_id, 'findSchemaProblems', schema, value, at, files)
  if (problems.length > 0) throw new ValidationError('The files must match their fields', problems)
}

function isAttachable({ actor }: Pick<Principal, 'actor'>, owner: FileOwner, file: FileRecord): boolean {
  if (isUnused(file)) return file.actor === actor
  return 'trace_id' in owner ? file.trace_id === owner.trace_id : file.job_id === owner.job_id
}

export const toFileRef = ({ id, file_name, media_type, size }: FileRecord): FileRef => ({
  id,
  file_name,
  media_type,
  size,
})

const presentFile = (file: FileRecord): FileView => ({
  ...toFileRef(file),
  sha256: file.sha256,
  ...(file.trace_id !== null && { trace_id: file.trace_id }),
  ...(file.job_id !== null && { job_id: file.job_id }),
  created_at: file.created_at,
})
