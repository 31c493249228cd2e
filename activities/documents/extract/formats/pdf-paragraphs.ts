import { escapeTags, escapeText } from '../../../../services/documents/reading/escape.ts'
import type { Line } from './pdf-lines.ts'

/** If the distance between two lines is larger than this, in letter heights, they belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7
const SAME_SIZE = 1.1
const MAX_HEADING_CHARS = 150
const MAX_WORD_CHARS = 100
/** Minimum heading size relative to the body text, by level. */
const HEADING_SIZES = [1.8, 1.4, 1.15]
/** If the share of large text is higher, as on slides, text size does not distinguish headings. */
const MAX_HEADING_SHARE = 0.25

/** Returns the letter height of most of the text, in points. Returns 0 if text size does not distinguish headings. */
export function bodySize(pages: Line[][]): number {
  const chars = new Map<number, number>()
  for (const { text, size } of pages.flat()) chars.set(round(size), (chars.get(round(size)) ?? 0) + text.length)
  const body = [...chars].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0]
  const large = sum(pages.flat().filter(line => headingLevel(line, body) > 0))
  return large > sum(pages.flat()) * MAX_HEADING_SHARE ? 0 : body
}

const sum = (lines: Line[]): number => lines.reduce((chars, { text }) => chars + text.length, 0)

const round = (size: number): number => Math.round(size * 2) / 2

/** A word, including hyphenated compounds. */
const WORD = /[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu

/** Returns the words inside lines, in lowercase. They show the spelling of words that are split at line ends. */
export function listWords(pages: Line[][]): Set<string> {
  const words = new Set<string>()
  for (const { text } of pages.flat()) for (const word of text.toLowerCase().match(WORD) ?? []) words.add(word)
  return words
}

/** Converts a page to Markdown. */
export function pageText(lines: Line[], body: number, words: Set<string>): string {
  const paragraphs: Line[][] = []
  for (const line of lines) {
    const last = paragraphs.at(-1)
    if (last && follows(last.at(-1)!, line)) last.push(line)
    else paragraphs.push([line])
  }
  return paragraphs.map(paragraph => paragraphText(paragraph, body, words)).join('\n\n')
}

function follows(above: Line, line: Line): boolean {
  const larger = Math.max(above.size, line.size)
  const gap = above.y - line.y
  return larger <= Math.min(above.size, line.size) * SAME_SIZE && gap > -larger / 2 && gap < larger * PARAGRAPH_GAP
}

function paragraphText(lines: Line[], body: number, words: Set<string>): string {
  const whole = lines.map(line => line.text).join(' ')
  const level = headingLevel({ ...lines[0]!, text: whole }, body)
  if (level > 0) return `${'#'.repeat(level)} ${escapeTags(whole)}`
  return escapeText(lines.map(line => line.text).reduce((above, line) => joinLines(above, line, words)))
}

/** Returns the heading level, or 0 for body text. */
function headingLevel({ text, size }: Line, body: number): number {
  if (body === 0 || text.length > MAX_HEADING_CHARS || !/\p{L}/u.test(text)) return 0
  return HEADING_SIZES.findIndex(times => size >= body * times) + 1
}

/** Suffixes that are not words themselves, so they cannot be the second part of a compound. */
const ENDING =
  /^(?:able|al(?:ly)?|ance|ed|ence|er|est|ful|ible|ing|ion|ism|ist|ity|ive|less|ly|ment|ness|ous|sion|tion)s?(?!\p{L})/u

/**
 * Joins two lines, including a word that is split between them. The hyphen is kept unless the word ends with a suffix
 * or is spelled without a hyphen elsewhere in the document.
 */
function joinLines(above: string, line: string, words: Set<string>): string {
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + line
  if (!/\p{L}[-\u2010]$/u.test(above.slice(-3)) || !/^\p{Ll}/u.test(line)) return `${above}\n${line}`
  const start = /[\p{L}\p{M}]*$/u.exec(above.slice(-MAX_WORD_CHARS, -1))?.[0] ?? ''
  const end = /^[\p{L}\p{M}]*/u.exec(line)?.[0] ?? ''
  const isDivided = ENDING.test(line) || words.has((start + end).toLowerCase())
  return (isDivided ? above.slice(0, -1) : above) + line
}
