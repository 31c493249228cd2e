import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AppError, type PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../domain/errors.ts'
import type { Reservation } from './memory-budget.ts'

const INFLATERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

interface Bounds {
  /** After inflation. */
  maxBytes: number
  tooLarge: () => PayloadTooLarge
  /** Counts the bytes of all requests together. */
  reservation?: Reservation
}

/**
 * Yields the body of a request, inflated, as it arrives. However the reading ends, the rest of the request is read and
 * discarded, so that the caller receives the response. Throws ValidationError for a body that is cut off or not encoded
 * as announced.
 */
export async function* bodyStream(req: IncomingMessage, bounds: Bounds): AsyncGenerator<Buffer> {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  let inflater: Transform | undefined
  let size = 0
  try {
    inflater = isEmpty(req) ? undefined : createInflater(encoding)
    const source = inflater ? inflate(req, inflater) : req
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.byteLength
      if (size > bounds.maxBytes) throw bounds.tooLarge()
      bounds.reservation?.reserve(piece.byteLength)
      yield piece
      // The next piece of a fast sender is already there; other requests are served before it.
      await yieldToOthers()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (req.errored || !inflater) throw new ValidationError('The request ended before the body was complete')
    throw new ValidationError(`The body is not valid ${encoding}`)
  } finally {
    if (inflater) req.unpipe(inflater)
    inflater?.destroy()
    req.resume()
  }
}

const isEmpty = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && !Number(headers['content-length'])

function createInflater(encoding: string): Transform | undefined {
  if (encoding === 'identity') return undefined
  if (Object.hasOwn(INFLATERS, encoding)) return INFLATERS[encoding]?.()
  throw new UnsupportedMediaType('The Content-Encoding must be gzip, deflate, br or identity')
}

function inflate(req: IncomingMessage, inflater: Transform): Readable {
  req.once('error', error => inflater.destroy(error))
  return req.pipe(inflater)
}
