import type { JobEvent } from '../../domain/jobs.ts'
import type { FeedEntry } from './job-feed.ts'

export const OPEN = Buffer.from(': open\n\n')
export const PING = Buffer.from(': ping\n\n')
export const CLOSING = Buffer.from(': closing\n\n')

const encoded = new WeakMap<FeedEntry, Buffer>()

/** The bytes of an entry, encoded once for all clients. */
export function frameOf(entry: FeedEntry): Buffer {
  let frame = encoded.get(entry)
  if (!frame) {
    frame = bytesOf(entry.id, entry.json)
    encoded.set(entry, frame)
  }
  return frame
}

/** An event that does not come from the stream, at a position of it. */
export const frameAt = (id: string, event: JobEvent): Buffer => bytesOf(id, JSON.stringify(event))

const bytesOf = (id: string, json: string) => Buffer.from(`id: ${id}\ndata: ${json}\n\n`)
