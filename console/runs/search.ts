import type { Body, Query } from '@ganglion/client'

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

type Kind = (typeof KINDS)[number]
type Since = keyof typeof SINCE
type Sort = keyof typeof SORTS
export type Status = (typeof STATUSES)[number]

/** What the address of the list of runs holds. */
export interface RunsSearch {
  /** With commas. */
  status?: string
  kind?: Kind
  /** A part of the title. */
  title?: string
  /** Id or slug of the pathway. */
  pathway?: string
  /** Who has started the run. */
  by?: string
  since?: Since
  sort?: Sort
  /** `true`: with the runs that other runs have started. */
  children?: boolean
  /** From 1. */
  page?: number
}

export const PAGE_SIZE = 50

/** Reads an address; what it does not know is left out. */
export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const oneOf = <T extends string>(name: string, known: readonly T[]) => known.find(one => one === search[name])
  const page = Number(search['page'])
  const fields: RunsSearch = {
    status: listStatuses(text('status')).join(',') || undefined,
    kind: oneOf('kind', KINDS),
    title: text('title'),
    pathway: text('pathway'),
    by: text('by'),
    since: oneOf('since', Object.keys(SINCE) as Since[]),
    sort: oneOf('sort', Object.keys(SORTS) as Sort[]),
    children: search['children'] === true || undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export const listStatuses = (text = ''): Status[] => STATUSES.filter(status => text.split(',').includes(status))

const HOURS: Record<Since, number> = { hour: 1, day: 24, week: 168, month: 720 }
const HOUR_MS = 3_600_000

/** The filters of the counts, which are those of the list without its status. */
export function toCountFilters({ kind, title, pathway, by, since, children }: RunsSearch): Query<'jobs.counts'> {
  // Full minutes, so that the same list is the same query for a while.
  const now = Math.floor(Date.now() / 60_000) * 60_000
  return {
    kind,
    title,
    pathway_id: pathway,
    requester: by && (by.includes(':') ? by : `user:${by}`),
    child_runs: children ? undefined : 'false',
    created_after: since && new Date(now - HOURS[since] * HOUR_MS).toISOString(),
  }
}

/** The filter of an operation on all runs of the list. */
export function toBulkFilter(search: RunsSearch): Body<'jobs.bulk'>['filter'] {
  const { child_runs, ...filters } = toCountFilters(search)
  const status = listStatuses(search.status)
  return { ...filters, ...(child_runs && { child_runs: false }), ...(status.length > 0 && { status }) }
}

export function toListFilters(search: RunsSearch): Query<'jobs.list'> {
  const status = listStatuses(search.status)
  return {
    ...toCountFilters(search),
    ...(status.length > 0 && { status }),
    sort: search.sort,
    limit: PAGE_SIZE,
    offset: ((search.page ?? 1) - 1) * PAGE_SIZE,
  }
}
