import type { ResourceKind } from '../resources/kinds/index.ts'

/** What a purge removes: a thread with its runs, a run with its child runs, or a resource. */
export interface PurgeTarget {
  type: 'trace' | 'job' | ResourceKind
  id: string
}

/** What a purge counts. */
const REMOVABLES = [
  'jobs',
  'nodes',
  'interventions',
  'messages',
  'payloads',
  'pieces',
  'resources',
  'versions',
  'chunks',
  'contents',
  'firings',
] as const

/** The numbers of what was removed. */
export type RemovalCounts = Record<(typeof REMOVABLES)[number], number>

/** Adds numbers to those of earlier batches. */
export const addRemoved = (before: Partial<RemovalCounts>, more: Partial<RemovalCounts>): RemovalCounts =>
  Object.fromEntries(REMOVABLES.map(name => [name, (before[name] ?? 0) + (more[name] ?? 0)])) as RemovalCounts

export interface PurgeResult extends PurgeTarget {
  removed: RemovalCounts
}
