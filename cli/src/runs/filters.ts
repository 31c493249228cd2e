import { option } from '../shared/command.ts'

/** Run filters, by `jobs.list` parameter. */
export const FILTERS = {
  status: '--status <status>',
  outcome: '--outcome <outcome>',
  pathway_id: '--pathway <id>',
  neuron_id: '--neuron <id>',
} as const

export const since = option('--since <time>', 'only runs started after this time (ISO 8601)')
export const until = option('--until <time>', 'only runs started before this time (ISO 8601)')
export const noChildRuns = option('--no-child-runs', 'exclude child runs')
