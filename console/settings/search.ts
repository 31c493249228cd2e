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
export interface SettingsSearch {
  part?: Part
  webhook?: string
  actor?: string
  action?: string
  page?: number
}

export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const part = Object.keys(PARTS).find(one => one === search['part']) as Part | undefined
  const page = Number(search['page'])
  return {
    ...(part && { part }),
    ...readText(search, 'webhook'),
    ...readText(search, 'actor'),
    ...readText(search, 'action'),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

function readText(search: Record<string, unknown>, name: 'webhook' | 'actor' | 'action'): SettingsSearch {
  const text = search[name]
  return typeof text === 'string' && text !== '' ? { [name]: text } : {}
}
