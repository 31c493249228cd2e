import { PayloadTooLarge } from '../../domain/shared/errors.ts'
import { requireJson } from '../middleware/body.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { bodyStream } from './body-stream.ts'
import type { MemoryBudget, Reservation } from '../fairness/memory-budget.ts'
import { readForm } from './read-form.ts'
import type { JsonUpload } from './json-upload.ts'
import type { JsonReader } from './read-json.ts'
import { Upload } from '../../contract/shared/upload.ts'

export interface UploadSettings {
  /** Name of the content, used in error messages. */
  what: 'The document' | 'The audio' | 'The text'
  /** Maximum size of the content. */
  maxBytes: number
  /** How a JSON body encodes the content. */
  inJson: keyof typeof JSON_BYTES
  /** Maximum size of the rest of the request, without the content. */
  maxOtherBytes: number
  memory: MemoryBudget
  readJson: JsonReader
}

/** Maximum bytes of JSON per byte of content. A string may contain escapes such as `\u000b`. */
const JSON_BYTES = { base64: 4 / 3, string: 6 }

/**
 * Reads a request with a document or audio into `ctx.state.json`, from JSON or from multipart/form-data. The contents
 * become Uploads. All limits apply after decompression. The memory stays reserved until the response is sent.
 * @param forms also accepts multipart/form-data
 */
export function uploadBody(settings: UploadSettings, forms: boolean): Step {
  const { what: subject, maxBytes, inJson, maxOtherBytes, memory, readJson } = settings
  const uploadTooLargeError = () => new PayloadTooLarge(`${subject} may have at most ${maxBytes} bytes`)

  async function readAsForm(ctx: AppContext, reservation: Reservation): Promise<void> {
    const body = bodyStream(ctx.req, { maxBytes: maxBytes + maxOtherBytes, tooLarge: uploadTooLargeError, reservation })
    ctx.state.isForm = true
    ctx.state.json = await readForm(ctx.req, body, { maxBytes, tooLarge: uploadTooLargeError })
  }

  async function readAsJson(ctx: AppContext, reservation: Reservation): Promise<void> {
    if (ctx.get('Content-Type') !== '') requireJson(ctx)
    const maxBodyBytes = Math.ceil(maxBytes * JSON_BYTES[inJson]) + maxOtherBytes
    const buffer = createUploadBuffer(Math.min(Number(ctx.req.headers['content-length'] ?? 0), maxBodyBytes))
    for await (const piece of bodyStream(ctx.req, {
      maxBytes: maxBodyBytes,
      tooLarge: uploadTooLargeError,
      reservation,
    }))
      buffer.add(piece)
    if (buffer.size === 0) return
    requireJson(ctx)
    ctx.state.json = withUploads(await readJson(buffer.bytes()))
  }

  return async (ctx, next) => {
    const reservation = memory.open(ctx.state.principal?.workspace_id ?? '')
    try {
      await (forms && ctx.request.is('multipart/form-data')
        ? readAsForm(ctx, reservation)
        : readAsJson(ctx, reservation))
      return await next()
    } finally {
      reservation.release()
    }
  }
}

/** Returns the body with its contents as Uploads. */
function withUploads({ json, contents, documents }: JsonUpload): unknown {
  if (documents) return { ...(json as object), documents: documents.map(withUploads) }
  const uploads = Object.entries(contents).map(([field, content]) => [field, new Upload(content)])
  return uploads.length > 0 ? { ...(json as object), ...Object.fromEntries(uploads) } : json
}

/**
 * Joins the chunks of an upload as they arrive, so that no single operation takes as long as joining the whole upload
 * at once.
 */
interface UploadBuffer {
  add(piece: Uint8Array): void
  readonly size: number
  bytes(): Uint8Array<ArrayBuffer>
}

const MIN_BYTES = 65_536
/** Once this many bytes have arrived, the announced length is trusted and the full buffer is allocated. */
const MIN_TRUSTED_BYTES = 1_048_576

/** @param expected the announced number of bytes, within the limit */
function createUploadBuffer(expected: number): UploadBuffer {
  let whole = Buffer.allocUnsafeSlow(MIN_BYTES)
  let size = 0

  function growTo(needed: number): void {
    if (needed <= whole.byteLength) return
    const next = needed < MIN_TRUSTED_BYTES ? whole.byteLength * 2 : Math.max(whole.byteLength * 2, expected)
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, next))
    whole.copy(larger, 0, 0, size)
    whole = larger
  }

  return {
    add(piece) {
      growTo(size + piece.byteLength)
      whole.set(piece, size)
      size += piece.byteLength
    },
    get size() {
      return size
    },
    bytes: () => whole.subarray(0, size),
  }
}
