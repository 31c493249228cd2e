import { PayloadTooLarge, UnsupportedMediaType } from '../../domain/errors.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { bodyStream } from '../uploads/body-stream.ts'
import { parseJson } from './parse-json.ts'

/** Reads a JSON body into `ctx.state.json`; an empty body leaves it undefined. The limit counts bytes after inflation. */
export function body(maxBytes: number): Step {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes`)
  return async (ctx, next) => {
    const pieces: Buffer[] = []
    for await (const piece of bodyStream(ctx.req, { maxBytes, tooLarge })) pieces.push(piece)
    if (pieces.length > 0) {
      requireJson(ctx)
      ctx.state.json = parseJson(Buffer.concat(pieces))
    }
    return next()
  }
}

export function requireJson(ctx: AppContext): void {
  const { type, charset } = ctx.request
  if (type !== 'application/json') throw new UnsupportedMediaType('The Content-Type must be application/json')
  if (charset && charset.toLowerCase() !== 'utf-8')
    throw new UnsupportedMediaType('The charset of the body must be UTF-8')
}
