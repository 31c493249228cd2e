import type { Bench } from '../bench.ts'

/** Samples of one measurement, taken in turns. */
export interface Samples {
  ours: number[]
  bare: number[]
}

/** What design asks of a row: of the ratio of medians, or of our own figure. */
export type Aim = { of: 'ratio' | 'median' | 'p95' | 'p99' } & ({ atMost: number } | { atLeast: number })

/** One line of the table. */
export interface Row {
  name: string
  unit: 'ms' | 'runs/s' | 'requests/s'
  samples: Samples
  aim?: Aim
}

/** One measurement: ours against the bare way of doing the same. */
export interface Item {
  /** What `--only` calls it. */
  name: string
  run(bench: Bench): Promise<Row[]>
}
