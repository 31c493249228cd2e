import { AppError, PayloadTooLarge, ValidationError } from '../../domain/shared/errors.ts'
import { deriveTitle } from '../../domain/documents/documents.ts'
import { decodeText } from './charset.ts'
import { isText } from './known-types.ts'
import { type DocumentType, detectMediaType } from './media-type.ts'
import type { IngestRequest } from './ingest.ts'

/** Maximum number of bytes from the start of a text that are used to derive a title. */
const START_BYTES = 4_096

export interface InspectedDocument extends DocumentType {
  /** The title from the request, or a title derived from the file. Extraction does not change it. */
  title: string
}

/** Detects a document's type and title. Throws the same errors as `DocumentsService.ingest`. */
export async function inspect(request: IngestRequest, maxBytes: number): Promise<InspectedDocument> {
  const { content, from, file_name } = request
  const { byteLength } = content.bytes
  if (byteLength === 0) throw emptyDocumentError(from)
  if (byteLength > maxBytes)
    throw new PayloadTooLarge(`The document must have at most ${maxBytes} bytes, not ${byteLength}`)
  const type = await addPointer(request, () =>
    detectMediaType({ bytes: content.bytes, declared: declaredType(request), fileName: file_name }),
  )
  const start = isText(type.media_type) ? decodeStart(content.bytes, type.charset) : undefined
  if (start?.trim() === '' && byteLength <= START_BYTES) throw emptyDocumentError(from)
  const isProse = type.media_type === 'text/plain' || type.media_type === 'text/markdown'
  const title = request.title ?? deriveTitle({ ...request, start: isProse ? start : undefined })
  const isNamed = Boolean(request.mime_type?.trim() || file_name)
  return { ...type, claimed: { ...type.claimed, media_type: type.claimed.media_type && isNamed }, title }
}

const emptyDocumentError = (from: string) =>
  new ValidationError('The document is empty', [{ pointer: `/${from}`, message: 'must not be empty' }])

/** Returns the declared type. Text in a JSON body is UTF-8 and defaults to plain text. */
function declaredType({ from, mime_type, file_name }: IngestRequest): string | undefined {
  if (from !== 'text') return mime_type
  const [essence = ''] = (mime_type ?? '').split(';')
  if (essence.trim() === '' && file_name !== undefined) return undefined
  return `${essence.trim() || 'text/plain'}; charset=utf-8`
}

/** Adds a pointer to the field that caused the problem: the declared type or the content. */
async function addPointer<T>({ from, mime_type }: IngestRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.details) throw error
    const { code, status, message } = error
    // A file's declared type is part of the file.
    const pointer = from !== 'file' && mime_type !== undefined && status === 415 ? '/mime_type' : `/${from}`
    throw new AppError(code, message, { status, details: [{ pointer, message }] })
  }
}

/** Decodes the start of a text. The last character may be incomplete. */
function decodeStart(bytes: Uint8Array, charset?: string): string {
  const start = bytes.subarray(0, START_BYTES)
  if (start.byteLength === bytes.byteLength) return decodeText(start, charset)
  return new TextDecoder(charset).decode(start, { stream: true })
}
