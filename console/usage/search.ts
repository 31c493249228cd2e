/** What usage is summed by. */
export const GROUPS = { day: 'Day', model: 'Model', neuron: 'Neuron', pathway: 'Pathway', kind: 'Kind' } as const
export type Group = keyof typeof GROUPS

export const PERIODS = { month: 'This month', '7': '7 days', '30': '30 days', '90': '90 days' } as const
export type Period = keyof typeof PERIODS

/** What the address of the usage holds. */
export interface UsageSearch {
  by?: Group
  period?: Period
}

export function readUsageSearch({ by, period }: Record<string, unknown>): UsageSearch {
  const group = Object.keys(GROUPS).find(one => one === by) as Group | undefined
  const known = Object.keys(PERIODS).find(one => one === String(period)) as Period | undefined
  return { ...(group && { by: group }), ...(known && { period: known }) }
}
