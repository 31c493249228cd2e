import { useRead } from '../shared/service/use-service.ts'

/** Loads a pathway at its latest or an earlier version. */
export const usePathway = (pathwayId: string, version?: number) =>
  useRead(['resources', 'pathway', pathwayId, version], ({ pathways }) => pathways.get(pathwayId, { version }))

/** Loads the versions of a pathway, newest first. */
export const useVersions = (pathwayId: string, enabled = true) =>
  useRead(
    ['resources', 'pathway-history', pathwayId],
    async ({ pathways }) => (await pathways.history(pathwayId)).data,
    { enabled },
  )
