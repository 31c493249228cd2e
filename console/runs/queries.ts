import type { JobDetail } from '@ganglion/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useRead } from '../shared/service/use-service.ts'
import { buildCountFilters, type RunsSearch } from './search.ts'

/** Refresh interval in milliseconds, in case an event was lost. */
export const REFRESH_MS = 30_000

/** Query options for lists. */
export const LISTED = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS }

export const useRun = (jobId: string) =>
  useRead(['jobs', 'one', jobId], ({ jobs }) => jobs.get(jobId), {
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : REFRESH_MS),
  })

/** Counts the runs in a list by status. */
export function useRunCounts(search: RunsSearch) {
  const { status: _status, sort: _sort, page: _page, ...narrowing } = search
  return useRead(['jobs', 'counts', narrowing], ({ jobs }) => jobs.counts(buildCountFilters(narrowing)), LISTED)
}

/** Loads the pinned definition of a pathway run. Moving the run replaces the definition. */
export const useDefinition = ({ job_id, kind, pathway_version }: JobDetail) =>
  useRead(['definition', job_id, pathway_version], ({ jobs }) => jobs.definition(job_id), {
    enabled: kind === 'pathway',
    staleTime: Infinity,
  })
