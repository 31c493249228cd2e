import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../domain/errors.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { parseJson } from './parse-json.ts'

const INFLATE: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads a JSON body into `ctx.state.json`; no body leaves it undefined. The limit counts the bytes after inflation. */
export function body(limit: number): Step {
  return async (ctx, next) => {
    const bytes = await readWire(ctx.req, limit)
    if (bytes.length > 0) {
      requireJson(ctx)
      ctx.state.json = parseJson(await inflated(ctx, bytes, limit))
    }
    return next()
  }
}

/** Beyond the limit the rest is read and forgotten, so that the caller gets to see the answer. */
function readWire(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else reject(tooLarge(limit))
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
    const cut = () => {
      if (!req.readableEnded) reject(new ValidationError('The request ended before the body was complete'))
    }
    req.on('error', cut)
    req.on('close', cut)
    if (req.destroyed) cut()
  })
}

const tooLarge = (limit: number) => new PayloadTooLarge(`The body may have at most ${limit} bytes`)

export function requireJson(ctx: AppContext): void {
  const { type, charset } = ctx.request
  if (type !== 'application/json') throw new UnsupportedMediaType('The Content-Type must be application/json')
  if (charset && charset.toLowerCase() !== 'utf-8')
    throw new UnsupportedMediaType('The charset of the body must be UTF-8')
}

async function inflated(ctx: AppContext, bytes: Buffer, limit: number): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding').toLowerCase() || 'identity'
  if (encoding === 'identity') return bytes
  const run = Object.hasOwn(INFLATE, encoding) ? INFLATE[encoding] : undefined
  if (!run) throw new UnsupportedMediaType('The Content-Encoding must be gzip, deflate, br or identity')
  return run(bytes, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit)
    throw new ValidationError(`The body is not valid ${encoding}`)
  })
}
