import { RE2JS } from 're2js'

/** Steps of one check of a value: characters times the size of the pattern, about 40 ns each at worst. */
const MAX_STEPS = 30_000_000

export class PatternTooCostly extends Error {
  constructor() {
    super('is too long to be validated against its pattern')
    this.name = 'PatternTooCostly'
  }
}

/** A user's pattern on an engine that never backtracks. Throws when it is no regular expression. */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern))

/**
 * The patterns of one schema. Linear in the text is still slow when both text and pattern are long, so each check of a
 * value has a budget of steps; `begin` renews it.
 */
export class Patterns {
  private left = 0

  begin(): void {
    this.left = MAX_STEPS
  }

  /** In the form ajv takes it; ajv tells patterns apart by their text. */
  readonly regExp = Object.assign(
    (pattern: string) => {
      const compiled = compilePattern(pattern)
      const size = compiled.programSize()
      const test = (text: string) => {
        this.left -= size * text.length
        if (this.left < 0) throw new PatternTooCostly()
        return compiled.test(text)
      }
      return { test, toString: () => pattern }
    },
    { code: 'linearRegExp' },
  )
}
