import type { Span } from './span.ts'

/** A part of a document that is kept together where it can be: whole lines. */
export interface Block extends Span {
  kind: 'heading' | 'prose' | 'code' | 'table'
  /** What it is made of: items of a list, rows of a table. They cover it without a gap. */
  children: Block[]
  /** Of a heading: 1 is the highest. */
  level?: number
  /** Of a heading: what it says, without markup. */
  title?: string
  /** Of a row of a table: what the table's header row says. */
  header?: string
}

const ELLIPSIS = '…'

/** The text on one line, with at most so many characters. */
export function shortenLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= maxChars && text.length <= maxChars * 4) return line
  const end = line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return end.trimEnd() + ELLIPSIS
}
