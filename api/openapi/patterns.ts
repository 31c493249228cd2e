/** The first unescaped slash ends the source of a regular expression. Its flags follow. */
const FLAGS = /(?<!\\)\/([a-z]+)$/

/** Control characters as members of a class, which Python and Go do not know by name. */
const CONTROL = String.raw`\x00-\x1f\x7f-\x9f`

/** An escape: of a character by its code, of control characters, of a slash, or another one. */
const ESCAPE = /\\(?:u([\da-f]{4})|([pP])\{Cc\}|(\/)|[^])/gi

/**
 * Removes the flags that the generator of the document leaves at the end of patterns, in place: JSON Schema evaluates patterns
 * with the flag `u`. Throws for every other flag, because a pattern has no way to express it.
 */
export function removeFlags(part: unknown): void {
  rewritePatterns(part, pattern => {
    const [match = '', flags = 'u'] = FLAGS.exec(pattern) ?? []
    if (flags !== 'u') throw new Error(`the pattern ${pattern} must not need flags other than u`)
    return pattern.slice(0, pattern.length - match.length)
  })
}

/**
 * Changes each `pattern` to one that the regular expressions of Python, Go and ECMAScript read alike, in place. `\p{Cc}` must
 * be in a class of characters, and `\P{Cc}` outside of one.
 */
export function makePatternsPortable(part: unknown): void {
  rewritePatterns(part, pattern => pattern.replaceAll(ESCAPE, writeEscape))
}

/** A byte order mark is an error in sources of Go. It is written as a range with its unassigned neighbours. */
const BYTE_ORDER_MARK = 'feff'
const AROUND_BYTE_ORDER_MARK = '\ufefe-\uff00'

/** Go has no `\u`, and generators of TypeScript escape slashes themselves. */
function writeEscape(escape: string, code?: string, control?: string, slash?: string): string {
  if (control !== undefined) return control === 'p' ? CONTROL : `[^${CONTROL}]`
  if (code === undefined) return slash ?? escape
  if (code === BYTE_ORDER_MARK) return AROUND_BYTE_ORDER_MARK
  return code.startsWith('00') ? String.raw`\x${code.slice(2)}` : String.fromCharCode(Number.parseInt(code, 16))
}

function rewritePatterns(part: unknown, rewrite: (pattern: string) => string): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Record<string, unknown>
  if (typeof schema.pattern === 'string') schema.pattern = rewrite(schema.pattern)
  for (const each of Object.values(schema)) rewritePatterns(each, rewrite)
}
