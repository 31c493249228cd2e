import { createSearchReader, oneOf, readPage, readText } from '../shared/parts/search.ts'

/** The parts of the settings, with the permission that each needs. */
export const PARTS = {
  members: { label: 'Members', needs: 'access:manage' },
  keys: { label: 'API keys', needs: 'access:manage' },
  shares: { label: 'Share tokens', needs: 'shares:manage' },
  webhooks: { label: 'Webhooks', needs: 'webhooks:manage' },
  activity: { label: 'Activity', needs: 'activity:read' },
} as const
export type Part = keyof typeof PARTS

/** What the address of the settings holds. */
export const readSettingsSearch = createSearchReader({
  part: oneOf(PARTS),
  webhook: readText,
  actor: readText,
  action: readText,
  page: readPage,
})
