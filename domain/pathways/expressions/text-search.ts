/** Returns the first position of a part at or after `from`, or -1. Takes linear time, even for repetitive texts. */
export function findFirst(text: string, part: string, from = 0): number {
  return find(text, part, from, 1)
}

/** Returns the last position of a part at or before `until`, or -1. Takes linear time, even for repetitive texts. */
export function findLast(text: string, part: string, until = text.length): number {
  return find(text, part, Math.min(until + part.length, text.length) - 1, -1)
}

/** Splits a text at each occurrence of a separator into at most `max` parts. */
export function* splitAt(text: string, separator: string, max: number): Generator<string> {
  let begin = 0
  for (let count = 1; count < max; count++) {
    const end = findFirst(text, separator, begin)
    if (end < 0) break
    yield text.slice(begin, end)
    begin = end + separator.length
  }
  yield text.slice(begin)
}

const SURROGATE = /[\ud800-\udfff]/

/** Returns whether a code unit is the second unit of a surrogate pair. */
const isSecondOfPair = (text: string, unit: number): boolean =>
  (text.charCodeAt(unit) & 0xfc00) === 0xdc00 && (text.charCodeAt(unit - 1) & 0xfc00) === 0xd800

/** Counts the code points before a code unit, or in the whole text. A surrogate pair counts as one. */
export function countCharacters(text: string, until = text.length): number {
  if (!SURROGATE.test(text)) return until
  let count = until
  for (let unit = 1; unit < until; unit++) if (isSecondOfPair(text, unit)) count--
  return count
}

/** Returns the code unit where the code point at an index starts. */
export function toUnit(text: string, index: number): number {
  if (!SURROGATE.test(text)) return index
  let unit = 0
  for (let remaining = index; remaining > 0; remaining--) unit += isSecondOfPair(text, unit + 1) ? 2 : 1
  return unit
}

/** Maximum part length for the built-in search, whose worst case is the product of both lengths. */
const MAX_BUILT_IN = 8

/** Searches with the Knuth-Morris-Pratt algorithm in the direction of `step`. */
function find(text: string, part: string, start: number, step: 1 | -1): number {
  if (part.length > text.length) return -1
  if (part.length <= MAX_BUILT_IN) {
    return step > 0 ? text.indexOf(part, start) : text.lastIndexOf(part, start - part.length + 1)
  }
  const codes = listCodes(part, step)
  const borders = measureBorders(codes)
  let matched = 0
  for (let at = start; at >= 0 && at < text.length; at += step) {
    const code = text.charCodeAt(at)
    while (matched > 0 && codes[matched] !== code) matched = borders[matched - 1] ?? 0
    if (codes[matched] === code) matched++
    if (matched === codes.length) return step > 0 ? at - matched + 1 : at
  }
  return -1
}

/** Returns the character codes of a part in search direction. */
function listCodes(part: string, step: 1 | -1): Uint16Array {
  const codes = new Uint16Array(part.length)
  for (let i = 0; i < part.length; i++) codes[i] = part.charCodeAt(i)
  return step > 0 ? codes : codes.toReversed()
}

/** Returns, for each prefix of a part, the length of its longest proper prefix that is also its suffix. */
function measureBorders(codes: Uint16Array): Uint32Array {
  const borders = new Uint32Array(codes.length)
  let matched = 0
  for (let i = 1; i < codes.length; i++) {
    while (matched > 0 && codes[matched] !== codes[i]) matched = borders[matched - 1] ?? 0
    if (codes[matched] === codes[i]) matched++
    borders[i] = matched
  }
  return borders
}
