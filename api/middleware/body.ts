import { UnsupportedMediaType, PayloadTooLarge } from '../../domain/shared/errors.ts'
import { isUtf8 } from '../../domain/shared/text/utf8.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { parseJson } from '../../domain/shared/json/parsing/parse-json.ts'
import { bodyStream } from '../uploads/body-stream.ts'

/**
 * Reads a JSON body into `ctx.state.json`; an empty body leaves it undefined. The limit applies to the decompressed
 * body.
 */
export function body(maxBytes: number): Step {
  return async (ctx, next) => {
    const bytes = await readBody(ctx, maxBytes)
    if (bytes.length > 0) {
      requireJson(ctx)
      ctx.state.json = parseJson(bytes)
    }
    return next()
  }
}

export function requireJson(ctx: AppContext): void {
  const { type, charset } = ctx.request
  if (type.toLowerCase() !== 'application/json')
    throw new UnsupportedMediaType('The Content-Type must be application/json')
  if (charset && !isUtf8(charset)) throw new UnsupportedMediaType('The charset of the body must be UTF-8')
}

/** Reads a body of any media type into `ctx.state.rawBody`. The limit applies to the decompressed body. */
export const rawBody =
  (maxBytes: number): Step =>
  async (ctx, next) => {
    ctx.state.rawBody = await readBody(ctx, maxBytes)
    return next()
  }

/** Reads and decompresses the bytes of a body. Throws PayloadTooLarge. */
async function readBody({ req }: AppContext, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes`)
  const pieces: Buffer[] = []
  for await (const piece of bodyStream(req, { maxBytes, tooLarge })) pieces.push(piece)
  return Buffer.concat(pieces)
}
