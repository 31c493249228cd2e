import type { Schema } from '@ganglion/client'
import { queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

export type AutomationTrigger = Schema<'AutomationTrigger'>
export type AutomationGraph = Schema<'AutomationGraph'>

const MAX_LISTED = 200
/** A firing is no event of the workspace. */
const REFRESH_MS = 15_000

/** The triggers with their health and the decisions of a day, and what each of them starts. */
export function useAutomationsQuery() {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['triggers', 'graph', brainId],
    queryFn: () => ganglion.automations.graph({ limit: MAX_LISTED }),
    refetchInterval: REFRESH_MS,
  })
}

/** The next times of a schedule. */
export function useTimesQuery({ id, version }: AutomationTrigger) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['triggers', 'times', id, version],
    queryFn: () => ganglion.triggers.preview(id),
    refetchInterval: REFRESH_MS,
  })
}

const FIRINGS = 20

/** The latest firings of a trigger, of one decision or of all. */
export function useFiringsQuery(id: string, decision: string) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['triggers', 'firings', id, decision],
    queryFn: async () => {
      const narrowing = decision === '' ? {} : { decision: decision as 'fired' }
      const { data, total } = await ganglion.triggers.runs(id, { limit: FIRINGS, ...narrowing })
      return { data, total }
    },
    refetchInterval: REFRESH_MS,
  })
}
