import type { ResourceKind } from '../resources/kinds/index.ts'

/** Target of a purge: a thread with its runs, a run with its child runs, or a resource. */
export interface PurgeTarget {
  type: 'trace' | 'job' | ResourceKind
  id: string
}

/** The kinds of records that a purge counts. */
const REMOVABLES = [
  'jobs',
  'nodes',
  'interventions',
  'messages',
  'files',
  'payloads',
  'pieces',
  'resources',
  'versions',
  'chunks',
  'contents',
  'firings',
] as const

/** Number of removed records by kind. */
export type RemovalCounts = Record<(typeof REMOVABLES)[number], number>

/** Adds the counts of a batch to the counts from earlier batches. */
export const addRemoved = (before: Partial<RemovalCounts>, more: Partial<RemovalCounts>): RemovalCounts =>
  Object.fromEntries(REMOVABLES.map(name => [name, (before[name] ?? 0) + (more[name] ?? 0)])) as RemovalCounts

export interface PurgeResult extends PurgeTarget {
  removed: RemovalCounts
}
