/** The kinds of records that the removal of expired data counts. */
const EXPIRABLES = [
  'jobs',
  'threads',
  'messages',
  'files',
  'resources',
  'heads',
  'contents',
  'vectors',
  'keys',
  'credentials',
  'usage',
  'audit',
  'firings',
  'channel_messages',
  'notifications',
  'votes',
  'index_entries',
] as const

/** Number of removed records by kind. */
export type ExpiryCounts = Record<(typeof EXPIRABLES)[number], number>

/** Adds the counts of a batch to the counts from earlier batches. */
export const addExpired = (before: Partial<ExpiryCounts>, more: Partial<ExpiryCounts>): ExpiryCounts =>
  Object.fromEntries(EXPIRABLES.map(name => [name, (before[name] ?? 0) + (more[name] ?? 0)])) as ExpiryCounts

/** Scan position in contents and vectors: a hash, or null when all have been scanned. */
export interface RetentionCursor {
  contents: string | null
  vectors: string | null
}

export const FIRST_CURSOR: RetentionCursor = { contents: '', vectors: '' }

/** Result of one batch in a workspace. `done`: no expired data is left. */
export interface ExpiryBatch {
  removed: ExpiryCounts
  cursor: RetentionCursor
  done: boolean
}
