import fc from 'fast-check'

/** Decisions drawn from a list of numbers; once it is used up, each is the first and simplest one. */
export class Choices {
  private readonly numbers: number[]
  private at = 0

  constructor(numbers: number[]) {
    this.numbers = numbers
  }

  get isUsedUp(): boolean {
    return this.at >= this.numbers.length
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

/** Shrinks to fewer and simpler decisions. */
export const choices = (maxLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(10_000), { maxLength, size: 'max' })
