import * as fc from 'fast-check'

/** Decisions from a list of numbers. Once the list is used up, each decision is the first and simplest option. */
export class Choices {
  private readonly numbers: number[]
  private at = 0

  constructor(numbers: number[]) {
    this.numbers = numbers
  }

  /** 0 … count - 1. */
  below(count: number): number {
    return (this.numbers[this.at++] ?? 0) % count
  }

  of<T>(options: readonly T[]): T {
    const option = options[this.below(options.length)]
    if (option === undefined) throw new Error('nothing to choose from')
    return option
  }

  /** Returns true once in `inTimes` calls. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === inTimes - 1
  }
}

/** Enough decisions for interesting cases, which shrink to simpler ones. */
export const choices = (count: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat(10_000)), { minLength: count, maxLength: count })
