import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  AppError,
  type PayloadTooLarge,
  RequestTimeout,
  UnsupportedMediaType,
  ValidationError,
} from '../../domain/shared/errors.ts'
import type { Reservation } from '../fairness/memory-budget.ts'

const DECODERS: Record<string, () => Transform> = {
  identity: () => new PassThrough(),
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

/** A body that makes no progress for so long is given up. */
const STALL_MS = 10_000

/**
 * Yields the body of a request, inflated, as it arrives. However the reading ends, the rest of the request is read and
 * discarded, so that the caller receives the response. Throws ValidationError for a body that is cut off or not encoded
 * as announced, RequestTimeout for one that stalls.
 */
export async function* bodyStream(req: IncomingMessage, bounds: Bounds): AsyncGenerator<Buffer> {
  if (isEmpty(req)) return
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const decoder = createDecoder(encoding)
  const stall = () => decoder.destroy(new RequestTimeout())
  let size = 0
  try {
    req.once('error', error => decoder.destroy(error))
    req.setTimeout(STALL_MS, stall)
    for await (const piece of req.pipe(decoder) as AsyncIterable<Buffer>) {
      size += piece.byteLength
      if (size > bounds.maxBytes) throw bounds.tooLarge()
      bounds.reservation?.reserve(piece.byteLength)
      yield piece
      // The next piece of a fast sender is already there; other requests are served before it.
      await yieldToOthers()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (req.errored) throw new ValidationError('The request ended before the body was complete')
    throw new ValidationError(`The body is not valid ${encoding}`)
  } finally {
    req.off('timeout', stall).setTimeout(0)
    req.unpipe(decoder).resume()
  }
}

const isEmpty = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && !Number(headers['content-length'])

function createDecoder(encoding: string): Transform {
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined
  if (!decoder) throw new UnsupportedMediaType('The Content-Encoding must be gzip, deflate, br or identity')
  return decoder
}
