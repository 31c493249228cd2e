import { PayloadTooLarge } from '../../domain/shared/errors.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { bodyStream } from '../uploads/body-stream.ts'

/** Reads a body of any media type into `ctx.state.rawBody`. The limit counts bytes after inflation. */
export const rawBody =
  (maxBytes: number): Step =>
  async (ctx, next) => {
    ctx.state.rawBody = await readBody(ctx, maxBytes)
    return next()
  }

/** Reads the bytes of a body, inflated. Throws PayloadTooLarge. */
export async function readBody({ req }: AppContext, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes`)
  const pieces: Buffer[] = []
  for await (const piece of bodyStream(req, { maxBytes, tooLarge })) pieces.push(piece)
  return Buffer.concat(pieces)
}
