import type { Span } from './span.ts'

/** A section of a document in whole lines. It stays in one chunk where possible. */
export interface Block extends Span {
  kind: 'heading' | 'prose' | 'code' | 'table'
  /** Parts of the block: items of a list, rows of a table. They cover it without a gap. */
  children: Block[]
  /** Level of a heading; 1 is the highest. */
  level?: number
  /** Text of a heading, without markup. */
  title?: string
  /** Text of the table's header row, for a row of a table. */
  header?: string
}

const ELLIPSIS = '…'

/** Returns the text on one line, with at most `maxChars` characters. */
export function shortenLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= maxChars && text.length <= maxChars * 4) return line
  const end = line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return end.trimEnd() + ELLIPSIS
}
