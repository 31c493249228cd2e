import { createHash } from 'node:crypto'
import type { Principal } from '../../domain/access/principal.ts'
import { MAX_MESSAGE_FILES } from '../../domain/documents/files.ts'
import { isRefusal } from '../../domain/shared/errors.ts'
import { deriveUuid } from '../../domain/shared/name-uuid.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import type { FilesService, FileUpload } from '../documents/files.ts'

/** A file of a received message. */
export interface Attachment {
  name: string
  /** Throws AppError if the file can't be read. */
  read: () => Promise<FileUpload>
}

/** Builds the upload of a file that a messaging service has sent. */
export const buildUpload = (bytes: Uint8Array, name = '', mime_type?: string) => ({
  content: { bytes, sha256: createHash('sha256').update(bytes).digest('hex') },
  from: 'file' as const,
  file_name: cleanTitle(name) || 'unnamed',
  mime_type,
})

interface Received {
  text: string
  attachments: Attachment[]
  /** Identifies the message. */
  key: string
}

/**
 * Stores the files of a received message. The text that is returned names those that are not accepted. Another
 * attempt stores no file twice. Throws AppError if a service is unavailable.
 */
export async function storeAttachments(
  files: Pick<FilesService, 'upload'>,
  by: Principal,
  { text, attachments, key }: Received,
): Promise<{ message: string; files: string[] }> {
  const ids: string[] = []
  const refused = attachments.slice(MAX_MESSAGE_FILES).map(({ name }) => `${name}: too many attachments`)
  for (const [i, { name, read }] of attachments.slice(0, MAX_MESSAGE_FILES).entries()) {
    try {
      const file = await files.upload(by, await read(), deriveUuid(`${by.actor} ${key} ${i}`))
      ids.push(file.id)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused.push(`${name}: ${error.message}`)
    }
  }
  const written = text === '' ? 'See the attachments.' : text
  return { message: [written, ...refused.map(line => `Attachment not accepted: ${line}`)].join('\n\n'), files: ids }
}
