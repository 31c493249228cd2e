const SPACE = /[\t\n\r ]*/y
const PUNCTUATION = /[{}[\],:]/y
const SCALAR =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

type Expectation = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

const OPENING: Record<string, Expectation> = { '{': 'key or end', '[': 'value or end' }
const CLOSING: Record<string, string> = { '}': '{', ']': '[' }

/**
 * Returns the index of the first invalid JSON token, or the text length if the text ends too early. `JSON.parse`
 * reports this only for some errors. Call it only for texts that `JSON.parse` rejected.
 */
export function findSyntaxError(text: string): number {
  const open: string[] = []
  let expected: Expectation = 'value'
  let at = 0

  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? ''
  }
  const wants = (token: 'value' | 'key' | 'end') => expected.split(' or ').includes(token)

  /** Returns what can follow a bracket, comma or colon. Undefined if the character is invalid here. */
  function afterPunctuation(char: string): Expectation | undefined {
    const inside = open.at(-1)
    if (char in OPENING && wants('value')) {
      open.push(char)
      return OPENING[char]
    }
    if (char in CLOSING && wants('end') && inside === CLOSING[char]) {
      open.pop()
      return 'comma or end'
    }
    if (char === ':' && expected === 'colon') return 'value'
    if (char === ',' && expected === 'comma or end' && inside) return inside === '{' ? 'key' : 'value'
    return undefined
  }

  function afterScalar(scalar: string): Expectation | undefined {
    if (scalar && wants('value')) return 'comma or end'
    return scalar.startsWith('"') && wants('key') ? 'colon' : undefined
  }

  for (;;) {
    at += match(SPACE).length
    const mark = match(PUNCTUATION)
    const token = mark || match(SCALAR)
    const next = mark ? afterPunctuation(mark) : afterScalar(token)
    if (!next) return at
    expected = next
    at += token.length
  }
}
