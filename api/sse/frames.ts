import type { JobEntry } from '../../domain/job-event-source.ts'
import type { JobEvent } from '../../domain/jobs.ts'

export const OPEN = Buffer.from(': open\n\n')
export const PING = Buffer.from(': ping\n\n')
export const CLOSING = Buffer.from(': closing\n\n')

const encoded = new WeakMap<JobEntry, Buffer>()

/** Encodes an entry once for all clients. */
export function encodeEntry(entry: JobEntry): Buffer {
  let frame = encoded.get(entry)
  if (!frame) {
    frame = encode(entry.id, entry.json)
    encoded.set(entry, frame)
  }
  return frame
}

/** Encodes an event that is not in the stream. */
export const encodeEvent = (id: string, event: JobEvent): Buffer => encode(id, JSON.stringify(event))

const encode = (id: string, json: string) => Buffer.from(`id: ${id}\ndata: ${json}\n\n`)
