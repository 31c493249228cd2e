import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Bytes compressed with gzip, and the entity tag of what they are before. */
export interface CompressedDocument {
  gzipped: Buffer
  etag: string
}

/** A JSON document as it is sent. */
export interface ServedDocument extends CompressedDocument {
  json: Buffer
}

export async function compressWithTag(bytes: Buffer): Promise<CompressedDocument> {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { gzipped: await compress(bytes), etag }
}

/** Returns a function that builds the document at its first call, and keeps the bytes: it has a megabyte. */
export function createServedDocument(build: () => unknown): () => Promise<ServedDocument> {
  let served: Promise<ServedDocument> | undefined
  const prepare = async (): Promise<ServedDocument> => {
    const json = Buffer.from(JSON.stringify(build()))
    return { json, ...(await compressWithTag(json)) }
  }
  return () => (served ??= prepare())
}
