import { createSearchReader, oneOf } from '../shared/parts/search.ts'

/** What usage is summed by. */
export const GROUPS = { day: 'Day', model: 'Model', neuron: 'Neuron', pathway: 'Pathway', kind: 'Kind' } as const
export type Group = keyof typeof GROUPS

export const PERIODS = { month: 'This month', '7': '7 days', '30': '30 days', '90': '90 days' } as const

/** What the address of the usage holds. */
export const readUsageSearch = createSearchReader({ by: oneOf(GROUPS), period: oneOf(PERIODS) })
