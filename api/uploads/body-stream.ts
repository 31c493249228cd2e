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
  /** Maximum size after decompression. */
  maxBytes: number
  tooLarge: () => PayloadTooLarge
  /** Reservation in the memory budget that all requests share. */
  reservation?: Reservation
}

/** A body that makes no progress for this many milliseconds is rejected. */
const STALL_MS = 10_000

/**
 * Yields the decompressed body of a request as it arrives. Even if reading stops early, the rest of the request is
 * read and discarded, so that the caller receives the response. Throws ValidationError for a body that is incomplete
 * or doesn't match its declared encoding, and RequestTimeout for a body that stalls.
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
      // A fast sender's next chunk is already available. Let other requests run first.
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
