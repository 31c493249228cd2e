import type { Span } from './span.ts'
import { cut } from '../../shared/text/shorten.ts'

/** A section of a document that consists of whole lines. It stays in one chunk if possible. */
export interface Block extends Span {
  kind: 'heading' | 'prose' | 'code' | 'table'
  /** Parts of the block, such as list items or table rows. They cover it without gaps. */
  children: Block[]
  /** Heading level. 1 is the highest. */
  level?: number
  /** Heading text without markup. */
  title?: string
  /** Text of the table's header row. Only set for table rows. */
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
  return cut(line, maxChars - 1).trimEnd() + ELLIPSIS
}
