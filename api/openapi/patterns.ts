/** The first unescaped slash ends the source of a regular expression. Its flags follow. */
const FLAGS = /(?<!\\)\/([a-z]+)$/

/**
 * Removes the flags that the generator leaves at the end of each `pattern`, in place. JSON Schema evaluates patterns
 * with the flag `u`. Throws for every other flag, because a pattern has no way to express it.
 */
export function removePatternFlags(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Record<string, unknown>
  if (typeof schema.pattern === 'string') schema.pattern = withoutFlags(schema.pattern)
  Object.values(schema).forEach(removePatternFlags)
}

function withoutFlags(pattern: string): string {
  const [found = '', flags = 'u'] = FLAGS.exec(pattern) ?? []
  if (flags !== 'u') throw new Error(`the pattern ${pattern} must not need flags other than u`)
  return pattern.slice(0, pattern.length - found.length)
}
