import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** A JSON document as it is sent. */
export interface ServedDocument {
  json: Buffer
  gzipped: Buffer
  etag: string
}

/** Returns a function that builds the document at its first call, and keeps the bytes: it has a megabyte. */
export function createServedDocument(build: () => unknown): () => Promise<ServedDocument> {
  let served: Promise<ServedDocument> | undefined
  const prepare = async (): Promise<ServedDocument> => {
    const json = Buffer.from(JSON.stringify(build()))
    const etag = `"${createHash('sha256').update(json).digest('base64url')}"`
    return { json, gzipped: await compress(json), etag }
  }
  return () => (served ??= prepare())
}
