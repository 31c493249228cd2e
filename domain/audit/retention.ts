/** What the removal of expired data counts. */
const EXPIRABLES = [
  'jobs',
  'threads',
  'messages',
  'resources',
  'heads',
  'contents',
  'vectors',
  'keys',
  'credentials',
  'usage',
  'audit',
  'firings',
  'votes',
] as const

/** The numbers of what was removed. */
export type ExpiryCounts = Record<(typeof EXPIRABLES)[number], number>

/** Adds numbers to those of earlier batches. */
export const addExpired = (before: Partial<ExpiryCounts>, more: Partial<ExpiryCounts>): ExpiryCounts =>
  Object.fromEntries(EXPIRABLES.map(name => [name, (before[name] ?? 0) + (more[name] ?? 0)])) as ExpiryCounts

/** How far contents and vectors were examined: a hash, or null when all were. */
export interface RetentionCursor {
  contents: string | null
  vectors: string | null
}

export const FIRST_CURSOR: RetentionCursor = { contents: '', vectors: '' }

/** One batch in a workspace. `done`: nothing more has expired. */
export interface ExpiryBatch {
  removed: ExpiryCounts
  cursor: RetentionCursor
  done: boolean
}
