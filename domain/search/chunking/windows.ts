import { splitLines, type Span } from './span.ts'

/** A range of whole lines that is parsed at once. */
export interface Window extends Span {
  /** Whether to skip parsing the window, because parsing would cost more than the structure is worth. */
  isPlain: boolean
}

/** Windows are small because parsing cost grows faster than the text, especially with many lines. */
const MAX_LENGTH = 8_192
const MAX_LINES = 128

/** At least 17 nested lists or quotes that open on one line. */
const DEEP_NESTING = /^[ \t]*(?:[-+*][ \t]+|>[ \t]?|\d{1,9}[.)][ \t]+){17}/m

/**
 * Splits a text into windows, if possible between two blocks: before an unindented line that follows a blank line. A
 * line longer than a window becomes a separate window.
 */
export function* splitIntoWindows(text: string): Generator<Window> {
  let open: Span & { lines: number } = { start: 0, end: 0, lines: 0 }
  let gap: typeof open | undefined
  let afterBlank = false
  for (const line of splitLines(text, { start: 0, end: text.length })) {
    const blank = isBlank(text, line)
    if (afterBlank && !blank && !isIndented(text, line)) gap = { ...open }
    while (open.lines > 0 && (line.end - open.start > MAX_LENGTH || open.lines === MAX_LINES)) {
      const cut = gap && gap.lines > 0 ? gap : open
      yield createWindow(text, cut)
      open = { start: cut.end, end: open.end, lines: open.lines - cut.lines }
      gap = undefined
    }
    open.end = line.end
    open.lines++
    afterBlank = blank
  }
  if (open.lines > 0) yield createWindow(text, open)
}

function createWindow(text: string, { start, end }: Span): Window {
  const tooLong = end - start > MAX_LENGTH
  return { start, end, isPlain: tooLong || DEEP_NESTING.test(text.slice(start, end)) }
}

const isBlank = (text: string, { start, end }: Span): boolean =>
  end - start <= MAX_LENGTH && text.slice(start, end).trim() === ''

const isIndented = (text: string, { start }: Span): boolean => text[start] === ' ' || text[start] === '\t'
