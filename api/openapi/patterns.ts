/** The first unescaped slash ends the source of a regular expression. Its flags follow. */
const FLAGS = /(?<!\\)\/([a-z]+)$/

/** The class of control characters, which the regular expressions of some languages do not have, and its characters. */
const CONTROL = '\\p{Cc}'
const NOT_CONTROL = '\\P{Cc}'
const CONTROL_CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f`

/**
 * Changes each `pattern` to one that other languages read, in place. Removes the flags that the generator leaves at its
 * end: JSON Schema evaluates patterns with the flag `u`. Throws for every other flag, because a pattern has no way to
 * express it. `\p{Cc}` must be in a class of characters, and `\P{Cc}` outside of one.
 */
export function makePatternsPortable(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Record<string, unknown>
  if (typeof schema.pattern === 'string') schema.pattern = withoutClasses(withoutFlags(schema.pattern))
  Object.values(schema).forEach(makePatternsPortable)
}

const withoutClasses = (pattern: string): string =>
  pattern.replaceAll(NOT_CONTROL, `[^${CONTROL_CHARACTERS}]`).replaceAll(CONTROL, CONTROL_CHARACTERS)

function withoutFlags(pattern: string): string {
  const [found = '', flags = 'u'] = FLAGS.exec(pattern) ?? []
  if (flags !== 'u') throw new Error(`the pattern ${pattern} must not need flags other than u`)
  return pattern.slice(0, pattern.length - found.length)
}
