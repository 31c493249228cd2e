import { AppError, PayloadTooLarge, ValidationError } from '../../domain/errors.ts'
import { titleOf } from '../../domain/documents.ts'
import { decodeText } from './charset.ts'
import { isText } from './known-types.ts'
import { type DocumentType, detectMediaType } from './media-type.ts'
import type { IngestRequest } from './types.ts'

/** Of a text, what a title is made of, and what is looked at to see whether anything is in it. */
const START_BYTES = 4_096

export interface InspectedDocument extends DocumentType {
  /** Given, or made of what is known; a head has one at once, and reading the document never changes it. */
  title: string
}

/** What has come in, by its bytes and by what its sender says. Throws what `DocumentsService.ingest` does. */
export async function inspect(request: IngestRequest, maxBytes: number): Promise<InspectedDocument> {
  const { content, from, file_name } = request
  const { byteLength } = content.bytes
  if (byteLength === 0) throw emptyDocument(from)
  if (byteLength > maxBytes)
    throw new PayloadTooLarge(`The document must have at most ${maxBytes} bytes, not ${byteLength}`)
  const type = await addPointer(request, () =>
    detectMediaType({ bytes: content.bytes, declared: declaredType(request), fileName: file_name }),
  )
  const start = isText(type.media_type) ? decodeStart(content.bytes, type.charset) : undefined
  if (start?.trim() === '' && byteLength <= START_BYTES) throw emptyDocument(from)
  const isProse = type.media_type === 'text/plain' || type.media_type === 'text/markdown'
  return { ...type, title: request.title ?? titleOf({ ...request, start: isProse ? start : undefined }) }
}

const emptyDocument = (from: string) =>
  new ValidationError('The document is empty', [{ pointer: `/${from}`, message: 'must not be empty' }])

/** A text that came as JSON is in UTF-8 now, whatever it was in before; it is plain text where nothing says otherwise. */
function declaredType({ from, mime_type, file_name }: IngestRequest): string | undefined {
  if (from !== 'text') return mime_type
  const [essence = ''] = (mime_type ?? '').split(';')
  if (essence.trim() === '' && file_name !== undefined) return undefined
  return `${essence.trim() || 'text/plain'}; charset=utf-8`
}

/** Says where in the request the problem is: in the type that was declared, or in the bytes. */
async function addPointer<T>({ from, mime_type }: IngestRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.details) throw error
    const { code, status, message } = error
    // A file brings its type itself.
    const pointer = from !== 'file' && mime_type !== undefined && status === 415 ? '/mime_type' : `/${from}`
    throw new AppError(code, status, message, { details: [{ pointer, message }] })
  }
}

/** Cut anywhere, so the last character may be missing. */
function decodeStart(bytes: Uint8Array, charset?: string): string {
  const start = bytes.subarray(0, START_BYTES)
  if (start.byteLength === bytes.byteLength) return decodeText(start, charset)
  return new TextDecoder(charset).decode(start, { stream: true })
}
