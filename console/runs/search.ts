import type { Body, Query } from '@ganglion/client'
import { toActor } from '../parts/names.ts'
import { oneOf, readPage, readText, toPage, toSearchReader } from '../parts/search.ts'

export const VIEWS = { graph: 'Graph', timeline: 'Timeline', table: 'Table' } as const

/** What the address of a run holds: the view, and the one node that all views and the panel show. */
export const readRunSearch = toSearchReader({ view: oneOf(VIEWS), node: readText })

export const STATUSES = ['pending', 'running', 'waiting', 'paused', 'completed', 'failed'] as const
export const KINDS = [
  'pathway',
  'neuron',
  'ingest',
  'search',
  'discover',
  'tool',
  'transcribe',
  'meeting',
  'bulk',
] as const
export const SORTS = { newest: 'Newest', oldest: 'Oldest', longest: 'Longest', costliest: 'Costliest' } as const
export const SINCE = { hour: 'Last hour', day: 'Last day', week: 'Last week', month: 'Last month' } as const

/** What the address of the list of runs holds. */
export const readRunsSearch = toSearchReader({
  /** With commas. */
  status: value => listStatuses(readText(value)).join(',') || undefined,
  kind: oneOf(KINDS),
  /** A part of the title. */
  title: readText,
  /** Id or slug of the pathway. */
  pathway: readText,
  /** Who has started the run. */
  by: readText,
  since: oneOf(SINCE),
  sort: oneOf(SORTS),
  /** With the runs that other runs have started. */
  children: value => value === true || undefined,
  page: readPage,
})
export type RunsSearch = ReturnType<typeof readRunsSearch>

export const listStatuses = (text = '') => STATUSES.filter(status => text.split(',').includes(status))

const HOURS: Record<keyof typeof SINCE, number> = { hour: 1, day: 24, week: 168, month: 720 }
const HOUR_MS = 3_600_000

/** The filters of the counts, which are those of the list without its status. */
export function toCountFilters({ kind, title, pathway, by, since, children }: RunsSearch): Query<'jobs.counts'> {
  // Full minutes, so that the same list is the same query for a while.
  const now = Math.floor(Date.now() / 60_000) * 60_000
  return {
    kind,
    title,
    pathway_id: pathway,
    requester: by && toActor(by),
    child_runs: children ? undefined : 'false',
    created_after: since && new Date(now - HOURS[since] * HOUR_MS).toISOString(),
  }
}

const toStatusFilter = ({ status }: RunsSearch) => {
  const statuses = listStatuses(status)
  return statuses.length > 0 ? { status: statuses } : {}
}

/** The filter of an operation on all runs of the list. */
export function toBulkFilter(search: RunsSearch): Body<'jobs.bulk'>['filter'] {
  const { child_runs, ...filters } = toCountFilters(search)
  return { ...filters, ...(child_runs && { child_runs: false }), ...toStatusFilter(search) }
}

export const toListFilters = (search: RunsSearch): Query<'jobs.list'> => ({
  ...toCountFilters(search),
  ...toStatusFilter(search),
  sort: search.sort,
  ...toPage(search.page),
})
