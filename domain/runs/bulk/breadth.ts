import type { JobStatus, OutcomeFilter } from '../jobs.ts'

/** The fields of a filter that say which runs are meant. */
const NAMES = [
  'kind',
  'pathway_id',
  'pathway',
  'receptor_id',
  'neuron_id',
  'trigger_id',
  'trace_id',
  'error_code',
  'requester',
  'started_by',
  'title',
  'text',
] as const

export interface RunFilter extends Partial<Record<(typeof NAMES)[number], string>> {
  statuses?: readonly JobStatus[]
  outcomes?: readonly OutcomeFilter[]
  created_after?: string
  created_before?: string
}

/** A later `created_before` than this before now only leaves out what has begun since a preview. */
const RECENT_MS = 3_600_000

/**
 * Tells what a filter leaves out of the runs with one of these statuses: `some`, `none`, or what began at other times, which
 * may be none.
 * @param now in milliseconds
 */
export function findBreadth(
  filter: RunFilter,
  statuses: readonly JobStatus[],
  now: number,
): 'some' | 'none' | 'other_times' {
  if (NAMES.some(name => filter[name] !== undefined) || leavesOutStatuses(filter.statuses, statuses)) return 'some'
  const { created_after, created_before } = filter
  const isOld = created_before !== undefined && Date.parse(created_before) < now - RECENT_MS
  return created_after !== undefined || isOld ? 'other_times' : 'none'
}

/** An operation that applies to one status only is asked for with that status. */
const leavesOutStatuses = (filterStatuses: readonly JobStatus[] | undefined, statuses: readonly JobStatus[]): boolean =>
  filterStatuses !== undefined &&
  (statuses.length === 1 ? filterStatuses.length === 1 : !statuses.every(status => filterStatuses.includes(status)))
