import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Gzip-compressed bytes, and the entity tag of the uncompressed bytes. */
export interface CompressedDocument {
  gzipped: Buffer
  etag: string
}

/** A JSON document ready to send. */
export interface ServedDocument extends CompressedDocument {
  json: Buffer
}

export async function compressWithTag(bytes: Buffer): Promise<CompressedDocument> {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { gzipped: await compress(bytes), etag }
}

/**
 * Returns a function that builds the document on the first call and then caches its bytes, because the document is
 * about a megabyte in size.
 */
export function createServedDocument(build: () => unknown): () => Promise<ServedDocument> {
  let served: Promise<ServedDocument> | undefined
  const prepare = async (): Promise<ServedDocument> => {
    const json = Buffer.from(JSON.stringify(build()))
    return { json, ...(await compressWithTag(json)) }
  }
  return () => (served ??= prepare())
}
