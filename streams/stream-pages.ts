import type { Redis } from 'ioredis'
import { compareIds, streamId } from '../domain/stream-id.ts'
import { storedEntry, streamKey } from './job-stream.ts'
import type { JobEntry, StoredEntry } from './job-stream.ts'
import { answered } from './redis.ts'

/** The oldest and the newest entry that Redis still has; both absent when it has none. */
export interface Edges {
  first?: JobEntry
  tail?: JobEntry
}

/** Entries per read. */
export const PAGE = 200

/** Reads both ends of a job's stream. Throws Unavailable. */
export async function readEdges(redis: Redis, jobId: string): Promise<Edges> {
  const key = streamKey(jobId)
  const [first, tail] = await answered(
    Promise.all([redis.xrange(key, '-', '+', 'COUNT', 1), redis.xrevrange(key, '+', '-', 'COUNT', 1)]),
  )
  return { first: first.map(storedEntry)[0], tail: tail.map(storedEntry)[0] }
}

/** Reads up to `PAGE` entries after an id, oldest first. Throws Unavailable. */
export async function readPage(redis: Redis, jobId: string, after: string): Promise<JobEntry[]> {
  const page: StoredEntry[] = await answered(redis.xrange(streamKey(jobId), `(${after}`, '+', 'COUNT', PAGE))
  return page.map(storedEntry)
}

/**
 * True when reading on after an id misses nothing: either the stream is whole, or what was cut off was read before. A
 * position beyond the tail belongs to entries that Redis has lost.
 */
export function covers({ first, tail }: Edges, after: string | undefined): boolean {
  if (!first || !tail) return false
  if (after === undefined) return first.opens
  const from = streamId(after)
  return compareIds(from, tail.at) <= 0 && (first.opens || compareIds(first.at, from) <= 0)
}
