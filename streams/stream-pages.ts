import type { Redis } from 'ioredis'
import type { StreamEntry } from '../domain/runs/job-event-source.ts'
import { compareIds, MAX_STREAM_ID, parseStreamId } from '../domain/shared/stream-id.ts'
import { parseStoredEntry } from './stream-entries.ts'
import type { EventStream, StoredEntry } from './stream-entries.ts'
import { orUnavailable } from './redis.ts'

/** The oldest and the newest stored entry; both are absent when the stream is empty. */
export interface StreamRange<E extends StreamEntry = StreamEntry> {
  first?: E
  last?: E
}

export const PAGE_ENTRIES = 200

/** The position before the first event. */
export const BEGINNING = '0-0'

/** The position behind the newest stored entry. */
export const getRangeEnd = ({ last }: StreamRange): string => last?.id ?? BEGINNING

/** Throws Unavailable. */
export async function readRange<E extends StreamEntry>(redis: Redis, stream: EventStream<E>): Promise<StreamRange<E>> {
  const { key } = stream
  const [first, last] = await orUnavailable(
    Promise.all([redis.xrange(key, '-', '+', 'COUNT', 1), redis.xrevrange(key, '+', '-', 'COUNT', 1)]),
  )
  const parse = (entries: StoredEntry[]) => entries.map(entry => parseStoredEntry(stream, entry))[0]
  return { first: parse(first), last: parse(last) }
}

/** Reads up to `PAGE_ENTRIES` entries after an id, oldest first. Throws Unavailable. */
export async function readPage<E extends StreamEntry>(
  redis: Redis,
  stream: EventStream<E>,
  after: string,
): Promise<E[]> {
  // Redis refuses a range that excludes its greatest id.
  if (after === MAX_STREAM_ID) return []
  const page: StoredEntry[] = await orUnavailable(redis.xrange(stream.key, `(${after}`, '+', 'COUNT', PAGE_ENTRIES))
  return page.map(entry => parseStoredEntry(stream, entry))
}

/**
 * True when no event between `after` and the stored range is missing. A reader with a position beyond the newest entry
 * misses none: it waits for later ones.
 */
export function isContiguous({ first, last }: StreamRange, after: string | undefined): boolean {
  if (!first || !last) return false
  if (after === undefined) return first.opens
  return first.opens || compareIds(first.at, parseStreamId(after)) <= 0
}
