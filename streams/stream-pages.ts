import type { Redis } from 'ioredis'
import type { JobEntry } from '../domain/job-event-source.ts'
import { compareIds, MAX_STREAM_ID, parseStreamId } from '../domain/stream-id.ts'
import { parseStoredEntry, streamKey } from './stream-entries.ts'
import type { StoredEntry } from './stream-entries.ts'
import { orUnavailable } from './redis.ts'

/** The oldest and the newest stored entry; both are absent when the stream is empty. */
export interface StreamRange {
  first?: JobEntry
  last?: JobEntry
}

export const PAGE_ENTRIES = 200

/** Throws Unavailable. */
export async function readRange(redis: Redis, jobId: string): Promise<StreamRange> {
  const key = streamKey(jobId)
  const [first, last] = await orUnavailable(
    Promise.all([redis.xrange(key, '-', '+', 'COUNT', 1), redis.xrevrange(key, '+', '-', 'COUNT', 1)]),
  )
  return { first: first.map(parseStoredEntry)[0], last: last.map(parseStoredEntry)[0] }
}

/** Reads up to `PAGE_ENTRIES` entries after an id, oldest first. Throws Unavailable. */
export async function readPage(redis: Redis, jobId: string, after: string): Promise<JobEntry[]> {
  // Redis refuses a range that excludes its greatest id.
  if (after === MAX_STREAM_ID) return []
  const page: StoredEntry[] = await orUnavailable(
    redis.xrange(streamKey(jobId), `(${after}`, '+', 'COUNT', PAGE_ENTRIES),
  )
  return page.map(parseStoredEntry)
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
