import type { JobDetail } from '@ganglion/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useRead } from '../shared/service/use-service.ts'
import { buildCountFilters, type RunsSearch } from './search.ts'

/** Should an event get lost, the page is still right after this time. */
export const REFRESH_MS = 30_000

/** Of lists. */
export const LISTED = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS }

export const useRun = (jobId: string) =>
  useRead(['jobs', 'one', jobId], ({ jobs }) => jobs.get(jobId), {
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : REFRESH_MS),
  })

/** How many runs of a list have each status. */
export function useRunCounts(search: RunsSearch) {
  const { status: _status, sort: _sort, page: _page, ...narrowing } = search
  return useRead(['jobs', 'counts', narrowing], ({ jobs }) => jobs.counts(buildCountFilters(narrowing)), LISTED)
}

/** The pinned definition; only pathways have one. A move replaces it. */
export const useDefinition = ({ job_id, kind, pathway_version }: JobDetail) =>
  useRead(['definition', job_id, pathway_version], ({ jobs }) => jobs.definition(job_id), {
    enabled: kind === 'pathway',
    staleTime: Infinity,
  })
