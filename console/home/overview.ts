import { queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

/** The query of what waits for the person and of the numbers of runs, as far as the person may read them. */
export function useOverview() {
  const { ganglion, brainId, can } = useSignedIn()
  return queryOptions({
    queryKey: ['overview', brainId],
    queryFn: async () => {
      const [waiting, runs] = await Promise.all([
        can('interventions:read') ? ganglion.interventions.counts() : undefined,
        can('jobs:read') ? ganglion.jobs.counts({ child_runs: 'false' }) : undefined,
      ])
      return { waiting, runs: Object.entries(runs?.by_status ?? {}).map(([status, count]) => ({ status, count })) }
    },
    refetchInterval: 15_000,
  })
}
