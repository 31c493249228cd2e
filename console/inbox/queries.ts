import type { Intervention } from '@ganglion/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'
import type { InboxSearch } from './search.ts'

const PAGE_SIZE = 50
/** Should an event get lost, the list is still right after this time. */
const REFRESH_MS = 60_000

/** The query of a list of the inbox, with the next that is due first. */
export function useInboxQuery({ view = 'mine', kind }: InboxSearch) {
  const { ganglion, brainId, session } = useSignedIn()
  const { groups } = session
  const narrowing = {
    mine: { status: ['open' as const], mine: 'true' as const, sort: 'due' as const },
    groups: { status: ['open' as const], assignee: groups, sort: 'due' as const },
    all: { status: ['open' as const], sort: 'due' as const },
    decided: { status: ['decided' as const, 'timed_out' as const, 'cancelled' as const], sort: 'closed' as const },
  }[view]
  return infiniteQueryOptions({
    queryKey: ['interventions', 'list', brainId, view, kind],
    queryFn: async ({ pageParam }) => {
      // Without groups, none of them is asked.
      if (view === 'groups' && groups.length === 0) return { data: [] as Intervention[], total: 0 }
      const page = await ganglion.interventions.list({ ...narrowing, kind, limit: PAGE_SIZE, offset: pageParam })
      return { data: page.data, total: page.total }
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, { data }) => sum + data.length, 0)
      return known < total ? known : undefined
    },
    refetchInterval: REFRESH_MS,
  })
}

export function useCountsQuery() {
  const { ganglion, brainId, can } = useSignedIn()
  return queryOptions({
    queryKey: ['interventions', 'counts', brainId],
    queryFn: () => ganglion.interventions.counts(),
    enabled: can('interventions:read'),
    refetchInterval: REFRESH_MS,
  })
}
