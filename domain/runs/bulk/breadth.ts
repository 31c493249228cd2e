import type { JobStatus, OutcomeFilter } from '../jobs.ts'

/** Filter fields that select runs. */
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

/** A `created_before` within this period before now excludes only runs that started after a preview. */
const RECENT_MS = 3_600_000

/**
 * Returns which runs with one of these statuses a filter excludes: `some`, `none`, or only runs started at other
 * times, of which there may be none.
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

/** An operation that applies to only one status is requested with that status. */
const leavesOutStatuses = (filterStatuses: readonly JobStatus[] | undefined, statuses: readonly JobStatus[]): boolean =>
  filterStatuses !== undefined &&
  (statuses.length === 1 ? filterStatuses.length === 1 : !statuses.every(status => filterStatuses.includes(status)))
