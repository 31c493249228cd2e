import * as fc from 'fast-check'

/** Decisions drawn from a list of numbers; once it is used up, each is the first and simplest one. */
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

  /** True once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === inTimes - 1
  }
}

/** Enough of them for something of interest; shrinks to simpler decisions. */
export const choices = (count: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat(10_000)), { minLength: count, maxLength: count })
