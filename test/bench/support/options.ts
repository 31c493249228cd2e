import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Names of items to run. Empty means all. */
  only: string[]
  /** A quarter of the samples. */
  quick: boolean
  /** Raw numbers on standard output instead of the table. */
  json: boolean
  /** The folder where every measured process writes its CPU profile on exit. */
  profile?: string
}

/** Throws for an unknown option. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  })
  const only = values.only.flatMap(names => names.split(','))
  return { ...values, only }
}
