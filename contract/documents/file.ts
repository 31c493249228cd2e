import { z } from 'zod'
import { MAX_MESSAGE_FILES } from '../../domain/documents/files.ts'
import { requireExactlyOne } from '../shared/body-rules.ts'
import { timestamp } from '../shared/time.ts'
import { content, fileName, mediaTypeOfContent } from './asset.ts'

const common = { mime_type: mediaTypeOfContent, file_name: fileName }

export const fileBody = requireExactlyOne(
  z.strictObject({
    text: content('must be a string').optional().meta({ type: 'string' }),
    content_base64: content('must be a string in base64')
      .optional()
      .meta({ type: 'string', contentEncoding: 'base64' }),
    ...common,
  }),
  ['text', 'content_base64'],
  '; send files as multipart/form-data',
)

export const fileForm = z.strictObject({
  file: content('must be a file').meta({ type: 'string', format: 'binary' }),
  ...common,
})

export const fileParams = z.object({ id: z.uuid() })

export const fileRef = z
  .object({ id: z.uuid(), file_name: z.string(), media_type: z.string(), size: z.int() })
  .meta({ id: 'FileRef' })

export const file = fileRef
  .extend({
    sha256: z.string().meta({ description: 'SHA-256 of the content, in hexadecimal' }),
    trace_id: z.uuid().optional().meta({ description: 'Thread that the file belongs to' }),
    job_id: z.string().optional().meta({ description: 'Run that the file belongs to' }),
    created_at: timestamp,
  })
  .meta({ id: 'StoredFile' })

/** A file of a thread or a run. */
export type FileView = z.output<typeof file>

/** Ids of files to attach to a message. */
export const messageFiles = z
  .array(z.uuid())
  .max(MAX_MESSAGE_FILES)
  .optional()
  .meta({ description: 'Ids of files that you have uploaded. They become files of the thread.' })
