import { file, fileBody, fileForm, fileParams } from '../../../contract/documents/file.ts'
import type { Upload } from '../../../contract/shared/upload.ts'
import type { FilesService, FileUpload } from '../../../services/documents/files.ts'
import { allowChat, allowReaders } from '../../routing/access.ts'
import { created, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { ABOUT_DOWNLOAD, downloadReply, downloadResponses } from './download.ts'

const tag = 'Conversations'

export const ABOUT_UPLOAD =
  'Attach the file to a message in `files`, or put its id into a file field of a form. The file then belongs to the thread or run, and is deleted with it. Ganglion deletes files that nothing uses after a day. Accepts the same types as `POST /v1/assets/ingest`. The setting `file_bytes` limits the size.'

/** Routes for files in conversations and forms. */
export function fileRoutes({ files }: { files: FilesService }): Route[] {
  const upload = defineRoute({
    name: 'files.upload',
    method: 'post',
    path: '/v1/files',
    summary: 'Upload a file for a conversation or a form',
    description: `${ABOUT_UPLOAD} Needs one of the permissions \`conversations:write\`, \`jobs:start\` and \`interventions:answer\`.`,
    tag,
    access: allowChat(null),
    body: fileBody,
    form: fileForm,
    responses: {
      201: { description: 'The file was stored', schema: file },
      409: { description: 'Your files that no message uses exceed 100 MB' },
    },
    async handler({ principal, body }) {
      const stored = await files.upload(principal, toFileUpload(body))
      return created(`/v1/files/${stored.id}`, stored)
    },
  })

  const read = defineRoute({
    name: 'files.get',
    method: 'get',
    path: '/v1/files/:id',
    summary: 'Read the name, type and size of a file',
    description:
      'You can read unused files that you have uploaded, and the files of threads and runs that you can read.',
    tag,
    access: allowReaders(null),
    params: fileParams,
    responses: { 200: { description: 'The file', schema: file } },
    handler: async ({ principal, params }) => ok(await files.read(principal, params.id)),
  })

  const content = defineRoute({
    name: 'files.content',
    method: 'get',
    path: '/v1/files/:id/content',
    summary: 'Download a file',
    description: ABOUT_DOWNLOAD,
    tag,
    access: allowReaders(null),
    params: fileParams,
    responses: downloadResponses,
    handler: async ({ principal, params, ctx }) => downloadReply(ctx, await files.content(principal, params.id)),
  })

  return [upload, read, content]
}

interface FileBody extends Partial<Record<FileUpload['from'], Upload>> {
  mime_type?: string
  file_name?: string
}

/** Returns the upload for the service. The schemas guarantee that the body has exactly one content field. */
export function toFileUpload({ text, content_base64, file: uploaded, ...fields }: FileBody): FileUpload {
  if (text) return { ...fields, content: text, from: 'text' }
  if (content_base64) return { ...fields, content: content_base64, from: 'content_base64' }
  if (uploaded) return { ...fields, content: uploaded, from: 'file' }
  throw new Error('file without content')
}
