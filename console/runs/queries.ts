import type { JobDetail } from '@ganglion/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useRead } from '../service/use-service.ts'
import { type RunsSearch, toCountFilters, toListFilters } from './search.ts'

/** Should an event get lost, the page is still right after this time. */
export const REFRESH_MS = 30_000

const LISTED = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS }

export const useRuns = (search: RunsSearch) =>
  useRead(
    ['jobs', 'list', search],
    async ({ jobs }) => {
      const { data, total } = await jobs.list(toListFilters(search))
      return { data, total }
    },
    LISTED,
  )

export const useRunCounts = ({ status: _status, sort: _sort, page: _page, ...search }: RunsSearch) =>
  useRead(['jobs', 'counts', search], ({ jobs }) => jobs.counts(toCountFilters(search)), LISTED)

export const useRun = (jobId: string) =>
  useRead(['jobs', 'one', jobId], ({ jobs }) => jobs.get(jobId), {
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : REFRESH_MS),
  })

/** The pinned definition; only pathways have one. A move replaces it. */
export const useDefinition = ({ job_id, kind, pathway_version }: JobDetail) =>
  useRead(['definition', job_id, pathway_version], ({ jobs }) => jobs.definition(job_id), {
    enabled: kind === 'pathway',
    staleTime: Infinity,
  })
