import { MAX_COUNTED } from '../../domain/people/intervention.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'

/** Refresh interval in milliseconds, in case an event was lost. */
export const REFRESH_MS = 60_000

/** Loads the number of tasks for the person, for their groups, and in total. */
export function useCounts() {
  const { can } = useSignedIn()
  return useRead(['interventions', 'counts'], ({ interventions }) => interventions.counts(), {
    enabled: can('interventions:read'),
    refetchInterval: REFRESH_MS,
  }).data
}

/** Formats a task count. The service caps the count. */
export const formatLimitedCount = (count: number): string =>
  count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`
