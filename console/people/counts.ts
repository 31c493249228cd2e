import { MAX_COUNTED } from '../../domain/people/intervention.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'

/** Should an event get lost, what is shown is still right after this time. */
export const REFRESH_MS = 60_000

/** How many interventions wait for the person, for its groups, and in all. */
export function useCounts() {
  const { can } = useSignedIn()
  return useRead(['interventions', 'counts'], ({ interventions }) => interventions.counts(), {
    enabled: can('interventions:read'),
    refetchInterval: REFRESH_MS,
  }).data
}

/** A number of interventions, of which there may be more than are counted. */
export const formatLimitedCount = (count: number): string =>
  count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`
