import { createSearchReader, oneOf } from '../shared/parts/search.ts'

/** Options for grouping usage. */
export const GROUPS = { day: 'Day', model: 'Model', neuron: 'Agent', pathway: 'Workflow', kind: 'Kind' } as const
export type Group = keyof typeof GROUPS

export const PERIODS = { month: 'This month', '7': '7 days', '30': '30 days', '90': '90 days' } as const

/** Search parameters of the usage page. */
export const readUsageSearch = createSearchReader({ by: oneOf(GROUPS), period: oneOf(PERIODS) })
