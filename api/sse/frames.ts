import type { StreamEntry } from '../../domain/runs/job-event-source.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

export const OPEN = Buffer.from(': open\n\n')
export const PING = Buffer.from(': ping\n\n')
export const CLOSING = Buffer.from(': closing\n\n')

const encoded = new WeakMap<StreamEntry, Buffer>()

/** Encodes an entry once, for all clients. */
export function encodeEntry(entry: StreamEntry): Buffer {
  let frame = encoded.get(entry)
  if (!frame) {
    frame = encode(entry.id, entry.json)
    encoded.set(entry, frame)
  }
  return frame
}

/** Encodes an event that is not stored in the stream. */
export const encodeEvent = (id: string, event: object): Buffer => encode(id, toStorableJson(event))

const encode = (id: string, json: string) => Buffer.from(`id: ${id}\ndata: ${json}\n\n`)
