import type { Schema } from '@ganglion/client'
import { queryOptions } from '@tanstack/react-query'
import { toName } from '../parts/names.ts'
import { toAbsolute } from '../parts/when.tsx'
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

/** A version as a choice: its number, who saved it when and why. */
export const toVersionOption = ({ version, author, note, created_at }: Schema<'VersionPage'>['data'][number]) => ({
  value: String(version),
  label: `${version}: ${note ?? 'saved'} by ${toName(author)}, ${toAbsolute(created_at)}`,
})

/** What changed from one version to another. */
export function useDifferenceQuery(pathwayId: string, from: number, to: number) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'pathway-difference', brainId, pathwayId, from, to],
    queryFn: () => ganglion.pathways.diff(pathwayId, { from, to }),
  })
}
