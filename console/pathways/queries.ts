import { queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

/** A pathway, at its latest version or an earlier one. */
export function usePathwayQuery(pathwayId: string, version?: number) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'pathway', brainId, pathwayId, version],
    queryFn: () => ganglion.pathways.get(pathwayId, { version }),
  })
}

/** The versions of a pathway, latest first. */
export function useVersionsQuery(pathwayId: string) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'pathway-history', brainId, pathwayId],
    queryFn: async () => (await ganglion.pathways.history(pathwayId)).data,
  })
}

/** What changed from one version to another. */
export function useDifferenceQuery(pathwayId: string, from: number, to: number) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'pathway-difference', brainId, pathwayId, from, to],
    queryFn: () => ganglion.pathways.diff(pathwayId, { from, to }),
  })
}
