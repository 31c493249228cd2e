import type { Body, Data, Query } from '@ganglion/client'
import { buildPageQuery, createSearchReader, oneOf, readPage, readText } from '../shared/parts/search.ts'

export const VIEWS = { graph: 'Graph', timeline: 'Timeline', table: 'Table' } as const

/** Search parameters of a run page: the view, and the node selected in all views. */
export const readRunSearch = createSearchReader({ view: oneOf(VIEWS), node: readText })

/** Run statuses. `cancelled` is `failed` with the outcome `cancelled` in the API. */
export const STATUSES = ['pending', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled'] as const
export const KINDS = {
  pathway: 'Workflow',
  neuron: 'Agent',
  ingest: 'Ingestion',
  search: 'Search',
  discover: 'Discovery',
  tool: 'Tool call',
  transcribe: 'Transcription',
  meeting: 'Meeting',
  bulk: 'Bulk operation',
  purge: 'Purge',
} as const
export const SORTS = { newest: 'Newest', oldest: 'Oldest', longest: 'Longest', costliest: 'Costliest' } as const
export const SINCE = {
  hour: 'Last hour',
  today: 'Today',
  yesterday: 'Yesterday',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  dates: 'Custom range',
} as const
type Since = keyof typeof SINCE

/** Search parameters of the run list. */
export const readRunsSearch = createSearchReader({
  /** Comma-separated. */
  status: value => listStatuses(readText(value)).join(',') || undefined,
  kind: oneOf(KINDS),
  /** Part of the title. */
  title: readText,
  /** Id or slug of the pathway. */
  pathway: readText,
  /** Part of the pathway's title or slug. */
  pathway_name: readText,
  /** Prefix of the requester's name. */
  by: readText,
  since: oneOf(SINCE),
  /** Days, for `since=dates`. */
  from: readDay,
  to: readDay,
  sort: oneOf(SORTS),
  /** Whether the list includes child runs. */
  children: value => value === true || undefined,
  page: readPage,
})
export type RunsSearch = ReturnType<typeof readRunsSearch>

export const listStatuses = (text = '') => STATUSES.filter(status => text.split(',').includes(status))

const HOURS: Partial<Record<Since, number>> = { hour: 1, day: 24, week: 168, month: 720 }
const HOUR_MS = 3_600_000

/** A day in local time: `2026-11-27`. */
function readDay(value: unknown): string | undefined {
  const text = readText(value)
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** Returns the start of a day in local time, plus a number of days. */
function getMidnight(day: Date | string, later = 0): Date {
  const [year = 0, month = 1, date = 1] =
    typeof day === 'string' ? day.split('-').map(Number) : [day.getFullYear(), day.getMonth() + 1, day.getDate()]
  return new Date(year, month - 1, date + later)
}

/**
 * Builds the start time filter. Relative times are rounded to full minutes, so that the query key stays the same for
 * a while.
 */
function buildPeriod(
  { since, from, to }: RunsSearch,
  now = new Date(),
): { created_after?: string; created_before?: string } {
  const hours = since && HOURS[since]
  if (hours !== undefined) {
    const minute = Math.floor(now.getTime() / 60_000) * 60_000
    return { created_after: new Date(minute - hours * HOUR_MS).toISOString() }
  }
  const first = { today: getMidnight(now), yesterday: getMidnight(now, -1), dates: from && getMidnight(from) }
  const end = { today: undefined, yesterday: getMidnight(now), dates: to && getMidnight(to, 1) }
  if (since === undefined || !(since in first)) return {}
  const after = first[since as keyof typeof first]
  const before = end[since as keyof typeof end]
  return {
    // `created_after` is exclusive, so this includes runs created at midnight.
    ...(after && { created_after: new Date(after.getTime() - 1).toISOString() }),
    ...(before && { created_before: before.toISOString() }),
  }
}

/** Builds the filters for the counts: the list's filters without the status. */
export function buildCountFilters(search: RunsSearch): Query<'jobs.counts'> {
  const { kind, title, pathway, pathway_name, by, children } = search
  return {
    kind,
    title,
    pathway_id: pathway,
    pathway: pathway_name,
    started_by: by,
    child_runs: children ? undefined : 'false',
    ...buildPeriod(search),
  }
}

/** In the API, cancelled runs have the status `failed` and the outcome `cancelled`. */
function buildStatusFilter({ status }: RunsSearch): Pick<Query<'jobs.list'>, 'status' | 'outcome'> {
  const statuses = listStatuses(status)
  if (statuses.length === 0) return {}
  const [isFailed, isCancelled] = [statuses.includes('failed'), statuses.includes('cancelled')]
  const others = statuses.filter(candidate => candidate !== 'cancelled' && candidate !== 'failed')
  const endStatuses = isFailed || isCancelled ? ['failed' as const] : []
  return {
    status: [...others, ...endStatuses],
    ...(isFailed !== isCancelled && { outcome: ['open', 'completed', isFailed ? 'failed' : 'cancelled'] }),
  }
}

/** Returns the number of runs with a console status. */
export const countStatus = (counts: Data<'jobs.counts'>, status: (typeof STATUSES)[number]): number =>
  status === 'failed' || status === 'cancelled' ? counts.by_outcome[status] : counts.by_status[status]

/** Builds the filter for an operation on all runs in the list. */
export function buildBulkFilter(search: RunsSearch): Body<'jobs.bulk'>['filter'] {
  const { child_runs, ...filters } = buildCountFilters(search)
  return { ...filters, ...(child_runs && { child_runs: false }), ...buildStatusFilter(search) }
}

export const buildListFilters = (search: RunsSearch): Query<'jobs.list'> => ({
  ...buildCountFilters(search),
  ...buildStatusFilter(search),
  sort: search.sort,
  ...buildPageQuery(search.page),
})
