import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AppError, type PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../domain/errors.ts'
import type { RoomShare } from './room.ts'

const INFLATERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

interface Bounds {
  /** After inflation. */
  limit: number
  tooLarge: () => PayloadTooLarge
  room: RoomShare
}

/**
 * The body of a request, inflated, piece by piece as it comes. Whatever ends the reading, what is left of the request is
 * read and forgotten, so that the caller gets to see the answer.
 */
export async function* bodyStream(req: IncomingMessage, bounds: Bounds): AsyncGenerator<Buffer> {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const inflater = inflaterFor(encoding)
  const source = inflater ? inflated(req, inflater) : req
  let size = 0
  try {
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.byteLength
      if (size > bounds.limit) throw bounds.tooLarge()
      bounds.room.take(piece.byteLength)
      yield piece
      // A fast sender has the next piece there already: others get their turn before it.
      await breathe()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (req.errored) throw new ValidationError('The request ended before the body was complete')
    throw new ValidationError(`The body is not valid ${encoding}`)
  } finally {
    if (inflater) req.unpipe(inflater)
    inflater?.destroy()
    req.resume()
  }
}

function inflaterFor(encoding: string): Transform | undefined {
  if (encoding === 'identity') return undefined
  if (Object.hasOwn(INFLATERS, encoding)) return INFLATERS[encoding]?.()
  throw new UnsupportedMediaType('The Content-Encoding must be gzip, deflate, br or identity')
}

function inflated(req: IncomingMessage, inflater: Transform): Readable {
  req.once('error', error => inflater.destroy(error))
  return req.pipe(inflater)
}
