/** The first unescaped slash ends the source of a regular expression, and the flags follow the slash. */
const FLAGS = /(?<!\\)\/([a-z]+)$/

/** Control characters, written for use in a character class, because Python and Go have no name for them. */
const CONTROL = String.raw`\x00-\x1f\x7f-\x9f`

/** Matches an escape: a character by its code, control characters, a slash, or any other escape. */
const ESCAPE = /\\(?:u([\da-f]{4})|([pP])\{Cc\}|(\/)|[^])/gi

/**
 * Removes the flags that the document generator leaves at the end of patterns, in place. JSON Schema evaluates
 * patterns with the `u` flag. Throws for any other flag, because a pattern cannot express it.
 */
export function removeFlags(part: unknown): void {
  rewritePatterns(part, pattern => {
    const [match = '', flags = 'u'] = FLAGS.exec(pattern) ?? []
    if (flags !== 'u') throw new Error(`the pattern ${pattern} must not need flags other than u`)
    return pattern.slice(0, pattern.length - match.length)
  })
}

/**
 * Replaces each `pattern` with one that Python, Go and ECMAScript interpret the same way, in place. `\p{Cc}` must be
 * inside a character class, and `\P{Cc}` outside.
 */
export function makePatternsPortable(part: unknown): void {
  rewritePatterns(part, pattern => pattern.replaceAll(ESCAPE, writeEscape))
}

/**
 * Go sources must not contain a byte order mark, so the mark is written as a range that includes its unassigned
 * neighbors.
 */
const BYTE_ORDER_MARK = 'feff'
const AROUND_BYTE_ORDER_MARK = '\ufefe-\uff00'

/**
 * Writes an escape in a portable form. Go doesn't support `\u`, and TypeScript generators escape slashes themselves.
 */
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
