import { option } from '../shared/command.ts'

/** Filters of runs, by the parameters of `jobs.list`. */
export const FILTERS = {
  status: '--status <status>',
  outcome: '--outcome <outcome>',
  pathway_id: '--pathway <id>',
  neuron_id: '--neuron <id>',
} as const

export const since = option('--since <time>', 'started after this time, as ISO 8601')
export const until = option('--until <time>', 'started before this time, as ISO 8601')
export const noChildRuns = option('--no-child-runs', 'without runs that other runs have started')
