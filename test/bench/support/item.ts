import type { Bench } from '../bench.ts'

/** Samples of one measurement, taken in alternation. */
export interface Samples {
  ours: number[]
  bare: number[]
}

/** The target for a row: either for the ratio of the medians, or for Ganglion's figure. */
export type Aim = { of: 'ratio' | 'median' | 'p95' | 'p99' } & ({ atMost: number } | { atLeast: number })

/** One table row. */
export interface Row {
  name: string
  unit: 'ms' | 'runs/s' | 'requests/s'
  samples: Samples
  aim?: Aim
}

/** One measurement of Ganglion, compared with the bare variant. */
export interface Item {
  /** The name for `--only`. */
  name: string
  run(bench: Bench): Promise<Row[]>
}
