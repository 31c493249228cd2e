import type { TestContext } from './context.ts'

/** One line of the table: samples of ours, and of the bare way taken in turns with them. */
export interface Row {
  name: string
  unit: 'ms' | 'tokens/s'
  ours: number[]
  bare: number[]
}

/** Builds the line of a table from what both sides took, by the part of it that is of interest, in milliseconds. */
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
  /** What is no sample, as sentences. */
  notes?: string[]
}

/** One measurement. */
export interface Item {
  /** What `--only` calls it. */
  name: string
  /** Needs an installation of its own: only measured when it is named. */
  isOptional?: true
  run(context: TestContext): Promise<Measured>
}
