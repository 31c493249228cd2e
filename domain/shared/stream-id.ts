import { ValidationError } from './errors.ts'

/** Id of an event in a job's stream, `<ms>-<n>`. Ids increase with each event. */
export interface StreamId {
  ms: number
  n: number
}

/** Maximum value of each part of an id in Redis. */
const MAX_PART = 2n ** 64n - 1n
/** The highest possible id. */
export const MAX_STREAM_ID = `${MAX_PART}-${MAX_PART}`
/** Format of an id. Each part is at most 2^64 - 1. */
export const STREAM_ID = /^(\d{1,20})-(\d{1,20})$/

/** Parses an id that was created by the stream. */
export function parseStreamId(text: string): StreamId {
  const dash = text.indexOf('-')
  return { ms: Number(text.slice(0, dash)), n: Number(text.slice(dash + 1)) }
}

/** Compares two ids: negative if `a` comes first, 0 if they are equal. */
export const compareIds = (a: StreamId, b: StreamId): number => a.ms - b.ms || a.n - b.n

export const formatStreamId = (id: StreamId): string => `${id.ms}-${id.n}`

/** Returns an id directly before `id`, so that reading after it starts with `id`. */
export const precedingId = (id: StreamId): StreamId =>
  id.n > 0 ? { ms: id.ms, n: id.n - 1 } : { ms: Math.max(0, id.ms - 1), n: Number.MAX_SAFE_INTEGER }

/**
 * Parses the id after which a client resumes, without leading zeros. Throws ValidationError if it is not a valid id.
 */
export function parseAfter(text: string): string {
  const [, ms, n] = STREAM_ID.exec(text) ?? []
  if (ms !== undefined && n !== undefined && BigInt(ms) <= MAX_PART && BigInt(n) <= MAX_PART) {
    return `${BigInt(ms)}-${BigInt(n)}`
  }
  const message = 'must be a stream id such as 1700000000000-0'
  throw new ValidationError('The stream id is invalid', [{ pointer: '/after', message }])
}
