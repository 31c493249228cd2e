import { setTimeout as sleep } from 'node:timers/promises'
import type { Ganglion, RequestOptions } from '@ganglion/client'

const LOOK_EVERY_MS = 50

/**
 * Ingests a document, and resolves when the document has been read or has failed. Bytes need their type in the
 * headers.
 */
export async function readDocument(
  ganglion: Ganglion,
  body: object,
  options?: Pick<RequestOptions, 'headers'>,
): Promise<void> {
  const ingested = await ganglion.request<{ asset: { id: string } }>('POST', '/v1/assets/ingest', { body }, options)
  const isRead = async () => (await ganglion.assets.get(ingested.asset.id)).extraction.status !== 'processing'
  while (!(await isRead())) await sleep(LOOK_EVERY_MS)
}
