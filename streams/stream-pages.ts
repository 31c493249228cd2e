import type { Redis } from 'ioredis'
import type { StreamEntry } from '../domain/runs/job-event-source.ts'
import { compareIds, MAX_STREAM_ID, parseStreamId } from '../domain/shared/stream-id.ts'
import { parseStoredEntry } from './stream-entries.ts'
import type { EventStream, StoredEntry } from './stream-entries.ts'
import { orUnavailable } from './redis.ts'

/** The oldest and newest stored entries. Both are absent if the stream is empty. */
export interface StreamRange<E extends StreamEntry = StreamEntry> {
  first?: E
  last?: E
}

export const PAGE_ENTRIES = 200

/** The position before the first event. */
export const BEGINNING = '0-0'

/** The position after the newest stored entry. */
export const getRangeEnd = ({ last }: StreamRange): string => last?.id ?? BEGINNING

/** Reads the oldest and newest stored entries. Throws Unavailable. */
export async function readRange<E extends StreamEntry>(redis: Redis, stream: EventStream<E>): Promise<StreamRange<E>> {
  const { key } = stream
  const [first, last] = await orUnavailable(
    Promise.all([redis.xrange(key, '-', '+', 'COUNT', 1), redis.xrevrange(key, '+', '-', 'COUNT', 1)]),
  )
  const parse = (entries: StoredEntry[]) => entries.map(entry => parseStoredEntry(stream, entry))[0]
  return { first: parse(first), last: parse(last) }
}

/** Reads up to `PAGE_ENTRIES` entries after the given id, oldest first. Throws Unavailable. */
export async function readPage<E extends StreamEntry>(
  redis: Redis,
  stream: EventStream<E>,
  after: string,
): Promise<E[]> {
  // Redis rejects a range that excludes its greatest id.
  if (after === MAX_STREAM_ID) return []
  const page: StoredEntry[] = await orUnavailable(redis.xrange(stream.key, `(${after}`, '+', 'COUNT', PAGE_ENTRIES))
  return page.map(entry => parseStoredEntry(stream, entry))
}

/**
 * Returns true if no event is missing between `after` and the stored range. A reader whose position is beyond the
 * newest entry has missed nothing and waits for later events.
 */
export function isContiguous({ first, last }: StreamRange, after: string | undefined): boolean {
  if (!first || !last) return false
  if (after === undefined) return first.opens
  return first.opens || compareIds(first.at, parseStreamId(after)) <= 0
}
