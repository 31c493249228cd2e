import type { JobDetail } from '@ganglion/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'
import { type RunsSearch, toCountFilters, toListFilters } from './search.ts'

/** Should an event get lost, the page is still right after this time. */
const REFRESH_MS = 30_000

export function useRunsQuery(search: RunsSearch) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['jobs', 'list', brainId, search],
    queryFn: async () => {
      const { data, total } = await ganglion.jobs.list(toListFilters(search))
      return { data, total }
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export function useRunCountsQuery({ status: _status, sort: _sort, page: _page, ...search }: RunsSearch) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['jobs', 'counts', brainId, search],
    queryFn: () => ganglion.jobs.counts(toCountFilters(search)),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export function useRunQuery(jobId: string) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['jobs', 'one', jobId],
    queryFn: () => ganglion.jobs.get(jobId),
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : REFRESH_MS),
  })
}

/** The pinned definition; only pathways have one. A move replaces it. */
export function useDefinitionQuery({ job_id, kind, pathway_version }: JobDetail) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['definition', job_id, pathway_version],
    queryFn: () => ganglion.jobs.definition(job_id),
    enabled: kind === 'pathway',
    staleTime: Infinity,
  })
}

/** Why the run is where it is, in a sentence. */
export function useDiagnosisQuery(jobId: string, isOpen: boolean) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['jobs', 'diagnosis', jobId],
    queryFn: () => ganglion.jobs.diagnosis(jobId),
    enabled: isOpen,
    refetchInterval: REFRESH_MS,
  })
}
