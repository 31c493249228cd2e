import { createSearchReader, oneOf, readPage, readText } from '../shared/parts/search.ts'

/** Sections of the settings, with the permission that each requires. */
export const PARTS = {
  members: { label: 'Members', needs: 'access:manage' },
  keys: { label: 'API keys', needs: 'access:manage' },
  shares: { label: 'Share tokens', needs: 'shares:manage' },
  channels: { label: 'Channels', needs: 'access:manage' },
  rules: { label: 'Notification rules', needs: 'access:manage' },
  notifications: { label: 'Notifications', needs: 'interventions:read' },
  webhooks: { label: 'Webhooks', needs: 'webhooks:manage' },
  activity: { label: 'Activity', needs: 'activity:read' },
} as const
export type Part = keyof typeof PARTS

/** Search parameters of the settings page. */
export const readSettingsSearch = createSearchReader({
  part: oneOf(PARTS),
  webhook: readText,
  actor: readText,
  action: readText,
  page: readPage,
})
