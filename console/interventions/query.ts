import { queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

/** A vote that decides nothing yet is no event of the workspace. */
const VOTES_MS = 15_000

export function useInterventionQuery(id: string) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['interventions', 'one', brainId, id],
    queryFn: () => ganglion.interventions.get(id),
    refetchInterval: VOTES_MS,
  })
}
