import { useRead } from '../shared/service/use-service.ts'

/** A pathway, at its latest version or an earlier one. */
export const usePathway = (pathwayId: string, version?: number) =>
  useRead(['resources', 'pathway', pathwayId, version], ({ pathways }) => pathways.get(pathwayId, { version }))

/** The versions of a pathway, latest first. */
export const useVersions = (pathwayId: string, enabled = true) =>
  useRead(
    ['resources', 'pathway-history', pathwayId],
    async ({ pathways }) => (await pathways.history(pathwayId)).data,
    { enabled },
  )
