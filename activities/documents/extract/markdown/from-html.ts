import { Parser } from 'htmlparser2'
import { documentTooLargeError } from '../../../../services/documents/reading/document-error.ts'
import type { BoundedText } from '../../../../services/documents/reading/text.ts'
import { MarkdownWriter } from './writer.ts'

/** An HTML document's metadata. */
export interface HtmlHead {
  title?: string
  language?: string
  /**
   * The content of `meta` elements by name or property, in lowercase. If several elements have the same name, the
   * first one is used.
   */
  meta: Map<string, string>
}

type Attributes = Record<string, string>
type Open = (writer: MarkdownWriter, attributes: Attributes) => void
type Close = (writer: MarkdownWriter) => void

const words = (text: string) => new Set(text.split(' '))

/** Elements without text for a reader. `rt` contains the pronunciation of the preceding text. */
const DROPPED = words(
  'script style noscript template nav iframe object embed applet svg canvas audio video select button textarea datalist rt rp',
)
const BLOCKS = words(
  'address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup html legend main p search section summary tbody tfoot thead',
)
const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
const LAYOUT_ROLE = /^(?:presentation|none)$/
const MAX_META = 200
/** The parser's work per tag grows with the number of open elements. */
const MAX_DEPTH = 1_000
const MAX_TITLE_CHARS = 2_000

const openCell: Open = (writer, { colspan }) => writer.openCell(Number(colspan))
const openHeading =
  (level: number): Open =>
  writer =>
    writer.openHeading(level)
const openList: Open = writer => writer.openList()
const closeCell: Close = writer => writer.closeCell()
const closeContainer: Close = writer => writer.closeContainer()
const closeHeading: Close = writer => writer.closeHeading()
const closeList: Close = writer => writer.closeList()
const endBlock: Close = writer => writer.endBlock()

const ELEMENTS: Record<string, [Open, Close?]> = {
  ...Object.fromEntries([...BLOCKS].map(name => [name, [endBlock, endBlock]])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(level => [`h${level}`, [openHeading(level), closeHeading]])),
  blockquote: [writer => writer.openQuote(), closeContainer],
  br: [writer => writer.lineBreak()],
  hr: [writer => writer.rule()],
  img: [(writer, { alt }) => writer.text(alt ? ` ${alt} ` : '')],
  li: [writer => writer.openItem(), closeContainer],
  menu: [openList, closeList],
  ol: [(writer, { start }) => writer.openList(Math.trunc(Number(start ?? 1)) || 1), closeList],
  pre: [writer => writer.openPre(), writer => writer.closePre()],
  table: [(writer, { role = '' }) => writer.openTable(LAYOUT_ROLE.test(role)), writer => writer.closeTable()],
  td: [openCell, closeCell],
  th: [openCell, closeCell],
  tr: [writer => writer.openRow(), writer => writer.closeRow()],
  ul: [openList, closeList],
}

/**
 * Writes the readable part of HTML as Markdown: links as their text, images as their descriptions, no emphasis.
 * Parses the HTML as a stream, because a tree requires about twenty times as much memory as the text. Throws
 * DOCUMENT_TOO_LARGE if the text exceeds the limit of `out` or more than 1,000 elements are open.
 */
export function markdownFromHtml(html: string, out: BoundedText): HtmlHead {
  const writer = new MarkdownWriter(out)
  const head: HtmlHead = { meta: new Map() }
  /** Number of open elements that are dropped, including descendants. */
  let dropped = 0
  let inTitle = false
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw documentTooLargeError(`The HTML must be at most ${MAX_DEPTH} levels deep`)
      if (dropped > 0 || isDropped(name, attributes)) dropped++
      else if (name === 'title') inTitle = true
      else {
        readHead(head, name, attributes)
        ELEMENTS[name]?.[0](writer, attributes)
      }
    },
    onclosetag(name) {
      depth--
      if (dropped > 0) dropped--
      else if (name === 'title') inTitle = false
      else ELEMENTS[name]?.[1]?.(writer)
    },
    ontext(data) {
      if (dropped > 0) return
      if (inTitle) head.title = `${head.title ?? ''}${data}`.slice(0, MAX_TITLE_CHARS)
      else writer.text(data)
    },
  })
  parser.end(html)
  writer.endBlock()
  return head
}

function isDropped(name: string, { role, hidden, style = '', 'aria-hidden': ariaHidden }: Attributes): boolean {
  if (DROPPED.has(name) || role === 'navigation' || ariaHidden === 'true') return true
  return hidden !== undefined || HIDDEN_STYLE.test(style)
}

function readHead(head: HtmlHead, element: string, { lang, name, property, content }: Attributes): void {
  if (element === 'html') head.language ??= lang
  const key = (name ?? property)?.toLowerCase()
  if (element === 'meta' && key && content && head.meta.size < MAX_META && !head.meta.has(key))
    head.meta.set(key, content)
}
