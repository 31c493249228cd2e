import type { TestContext } from './context.ts'

/** One table row: samples from Ganglion, and from the bare variant, measured in alternation. */
export interface Row {
  name: string
  unit: 'ms' | 'tokens/s'
  ours: number[]
  bare: number[]
}

/** Builds a table row in milliseconds from one figure of both sides' results. */
export const toRow = <T>(
  name: string,
  taken: Record<'ours' | 'bare', T[]>,
  part: (one: T) => number | number[],
): Row => ({
  name,
  unit: 'ms',
  ours: taken.ours.flatMap(part),
  bare: taken.bare.flatMap(part),
})

export interface Measured {
  rows: Row[]
  /** Observations that are not samples, as sentences. */
  notes?: string[]
}

/** One measurement. */
export interface Item {
  /** The name for `--only`. */
  name: string
  /** Requires a separate installation, and is measured only when named. */
  isOptional?: true
  run(context: TestContext): Promise<Measured>
}
