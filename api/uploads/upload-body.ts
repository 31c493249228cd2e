import { PayloadTooLarge } from '../../domain/errors.ts'
import { requireJson } from '../middleware/body.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { bodyStream } from './body-stream.ts'
import { readForm } from './read-form.ts'
import { readJson } from './read-json.ts'
import type { Room, RoomShare } from './room.ts'
import { Upload } from './upload.ts'
import { createUploadBuffer } from './upload-buffer.ts'

export interface UploadSettings {
  /** What is sent, for messages. */
  what: 'The document' | 'The audio'
  /** Of the content. */
  maxBytes: number
  /** Also takes multipart/form-data. */
  forms: boolean
  room: Room
}

/** What a request may have beside the content. */
const BESIDE_BYTES = 1_048_576

/**
 * Reads a request that carries a document or audio, as JSON or as multipart/form-data, into `ctx.state.json`, with contents as
 * Uploads. All limits count after inflation. The memory stays taken until the request is answered.
 */
export function uploadBody({ what, maxBytes, forms, room }: UploadSettings): Step {
  const tooLarge = () => new PayloadTooLarge(`${what} may have at most ${maxBytes} bytes`)

  async function asForm(ctx: AppContext, share: RoomShare): Promise<void> {
    const body = bodyStream(ctx.req, { limit: maxBytes + BESIDE_BYTES, tooLarge, room: share })
    ctx.state.isForm = true
    ctx.state.json = await readForm(ctx.req, body, { maxBytes, tooLarge })
  }

  async function asJson(ctx: AppContext, share: RoomShare): Promise<void> {
    if (ctx.get('Content-Type') !== '') requireJson(ctx)
    const limit = Math.ceil(maxBytes / 3) * 4 + BESIDE_BYTES
    const buffer = createUploadBuffer(Math.min(Number(ctx.req.headers['content-length'] ?? 0), limit))
    for await (const piece of bodyStream(ctx.req, { limit, tooLarge, room: share })) buffer.add(piece)
    if (buffer.size === 0) return
    requireJson(ctx)
    const { json, contents } = await readJson(buffer.bytes())
    const uploads = Object.entries(contents).map(([field, content]) => [field, new Upload(content)])
    ctx.state.json = uploads.length > 0 ? { ...(json as object), ...Object.fromEntries(uploads) } : json
  }

  return async (ctx, next) => {
    const share = room.open()
    try {
      await (forms && ctx.request.is('multipart/form-data') ? asForm(ctx, share) : asJson(ctx, share))
      return await next()
    } finally {
      share.giveBack()
    }
  }
}
