import { RE2JS } from 're2js'

export class PatternTooCostly extends Error {
  constructor() {
    super('is too long to be validated against its pattern')
    this.name = 'PatternTooCostly'
  }
}

/** Compiles a user's pattern with an engine that never backtracks. Throws if it is not a valid regular expression. */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern))

/**
 * The patterns of one schema, with a step budget per validation that `begin` resets. The engine is linear in the
 * text, but slow if both text and pattern are long.
 */
export class Patterns {
  private left = 0

  /** @param steps characters times pattern size */
  begin(steps: number): void {
    this.left = steps
  }

  /** Pattern engine for ajv, which identifies patterns by their text. */
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
