import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** `deflate` is supported but not requested, because servers disagree on its format. */
export const ACCEPT_ENCODING = 'gzip, br'

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

/**
 * Reads a body to its end and decompresses it. A body with an unknown encoding is left unchanged. If the body exceeds
 * `maxBytes` after decompression, throws `overflow()` and closes the connection, so that a compression bomb is not
 * unpacked.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
  overflow: () => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded(body, encoding) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw overflow()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function decoded(body: Readable, encoding: string | undefined): Readable {
  const decoder = DECODERS[encoding?.trim().toLowerCase() ?? '']
  // `pipeline` requires the callback. An error also destroys the last stream and reaches its reader.
  return decoder ? pipeline(body, decoder(), () => undefined) : body
}

/**
 * Limits a body to `maxBytes`. The stream throws `overflow()` if the limit is exceeded, and converts other errors
 * with `translated`.
 */
export function bounded(
  body: Readable,
  maxBytes: number,
  overflow: () => Error,
  translated: (error: unknown) => unknown,
): Readable {
  async function* counted(): AsyncGenerator<Buffer> {
    let size = 0
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw overflow()
        yield chunk
      }
    } catch (error) {
      throw translated(error)
    }
  }
  return Readable.from(counted(), { objectMode: false })
}
