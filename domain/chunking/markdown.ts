import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Block, shortened } from './block.ts'
import { linesOf, type Span } from './span.ts'

type Root = ReturnType<typeof fromMarkdown>
type Node =
  Root | Root['children'][number] | Extract<Root['children'][number], { children: unknown[] }>['children'][number]

/** What a window leaves open for the next one: a code block or a table that goes on. */
export interface Carry {
  /** Stands before the next window while that is parsed. */
  prefix: string
  /** Of a table. */
  header?: string
}

export interface Parsed {
  blocks: Block[]
  carry?: Carry
}

/** Only blocks are looked for. Inside a paragraph nothing is parsed: no link or emphasis matters here, and some cost much. */
const INLINE =
  'attention autolink characterEscape characterReference codeText definition hardBreakEscape htmlText labelEnd labelStartImage labelStartLink'
/** Blocks that plain texts have by accident, and that hold sentences there. */
const ACCIDENTAL = 'codeIndented htmlFlow'
const BLOCKS = {
  extensions: [{ flow: gfm().flow, disable: { null: `${INLINE} ${ACCIDENTAL}`.split(' ') } }],
  mdastExtensions: gfmFromMarkdown().filter(({ enter }) => enter && 'table' in enter),
}
/** A heading is one line of at most this length; what else looks like one is a paragraph. */
const MAX_HEADING_CHARS = 200
const MAX_TITLE_CHARS = 80
const MAX_HEADER_CHARS = 120
const MAX_PREFIX_CHARS = 2_000

/** The blocks of a window of a text, which is Markdown or looks like it. */
export function parseBlocks(text: string, window: Span, carried?: Carry): Parsed {
  const prefix = carried?.prefix ?? ''
  // The parser would drop a byte order mark, and with it an offset.
  const source = prefix + text.slice(window.start, window.end).replace(/^\uFEFF/, ' ')
  const root = fromMarkdown(source, BLOCKS)
  const reading: Reading = { source, from: prefix.length, shift: window.start - prefix.length, carried }
  const blocks = tiles(reading, root.children, { start: prefix.length, end: source.length }, topBlock)
  return { blocks, carry: carryOf(reading, root.children.at(-1)) }
}

/** The text of a window as paragraphs, cut at blank lines. */
export function plainBlocks(text: string, window: Span): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of linesOf(text, window)) {
    if (open) open.end = line.end
    else blocks.push((open = { ...line, kind: 'prose', children: [] }))
    if (text.slice(line.start, line.end).trim() === '') open = undefined
  }
  return blocks
}

interface Reading {
  source: string
  /** Where the window begins in the source; before it stands what was carried over. */
  from: number
  /** From an offset in the source to one in the text. */
  shift: number
  carried?: Carry
}

type ToBlock = (reading: Reading, node: Node, span: Span) => Block

/** Makes blocks of nodes so that together they cover the span: each begins with the line its node begins on. */
function tiles(reading: Reading, nodes: readonly Node[], span: Span, toBlock: ToBlock): Block[] {
  const starts = nodes.map(node => Math.max(lineStart(node), span.start))
  const blocks: Block[] = []
  let start = span.start
  for (const [i, node] of nodes.entries()) {
    const end = starts[i + 1] ?? span.end
    if (end <= start) continue
    blocks.push(toBlock(reading, node, { start, end }))
    start = end
  }
  return blocks
}

function topBlock(reading: Reading, node: Node, span: Span): Block {
  if (node.type !== 'heading') return innerBlock(reading, node, span)
  const written = reading.source.slice(
    offsetOf(node.children[0] ?? node, 'start'),
    offsetOf(node.children.at(-1) ?? node, 'end'),
  )
  const isHeading = node.children.length > 0 && written.length <= MAX_HEADING_CHARS && !/[\r\n]/.test(written)
  if (!isHeading) return placed(reading, span, 'prose')
  return {
    ...placed(reading, span, 'heading'),
    level: node.depth,
    title: shortened(withoutMarkup(written), MAX_TITLE_CHARS),
  }
}

function innerBlock(reading: Reading, node: Node, span: Span): Block {
  if (node.type === 'table') return tableBlock(reading, node, span)
  const block = placed(reading, span, node.type === 'code' ? 'code' : 'prose')
  const isContainer = node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote'
  return isContainer ? { ...block, children: tiles(reading, node.children, span, innerBlock) } : block
}

function tableBlock(reading: Reading, table: Extract<Node, { type: 'table' }>, span: Span): Block {
  const goesOn = offsetOf(table, 'start') < reading.from
  const header = goesOn ? reading.carried?.header : headerOf(reading, table)
  const rows = tiles(reading, table.children, span, (_, row, rowSpan) => ({
    ...placed(reading, rowSpan, 'table'),
    header: goesOn || row !== table.children[0] ? header : undefined,
  }))
  return { ...placed(reading, span, 'table'), header: goesOn ? header : undefined, children: rows }
}

const placed = ({ shift }: Reading, { start, end }: Span, kind: Block['kind']): Block => ({
  start: start + shift,
  end: end + shift,
  kind,
  children: [],
})

function headerOf({ source }: Reading, table: Extract<Node, { type: 'table' }>): string {
  const cells = table.children[0]?.children ?? []
  const texts = cells.map(({ children }) =>
    children.map(child => source.slice(offsetOf(child, 'start'), offsetOf(child, 'end'))).join(' '),
  )
  return shortened(texts.join(' | '), MAX_HEADER_CHARS)
}

/** What the last block leaves open, if it reaches the end of the window. */
function carryOf(reading: Reading, last: Node | undefined): Carry | undefined {
  if (!last) return undefined
  const { source } = reading
  const rest = source.slice(offsetOf(last, 'end'))
  if (last.type === 'code' && rest.trim() === '') {
    const fence = openFence(source.slice(offsetOf(last, 'start'), offsetOf(last, 'end')))
    return fence ? { prefix: `${fence}\n` } : undefined
  }
  if (last.type !== 'table' || !/^[ \t]*(?:\r\n|\n|\r)?$/.test(rest)) return undefined
  if (offsetOf(last, 'start') < reading.from) return reading.carried
  const [, firstRow] = last.children
  const prefix = source.slice(lineStart(last), firstRow ? lineStart(firstRow) : source.length)
  return prefix.length <= MAX_PREFIX_CHARS ? { prefix, header: headerOf(reading, last) } : undefined
}

/** The fence of a code block that nothing closes. */
function openFence(code: string): string | undefined {
  const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(code) ?? []
  const [, closing] = /[\r\n][ \t]*(`{3,}|~{3,})[ \t]*$/.exec(code.slice(-MAX_PREFIX_CHARS)) ?? []
  return fence && closing?.startsWith(fence) ? undefined : fence
}

/** What a heading says: `**Bold** and [linked](url)` is "Bold and linked". */
function withoutMarkup(heading: string): string {
  return /[*_`[\]<>&\\!]/.test(heading) ? textOf(fromMarkdown(`# ${heading}`)) : heading
}

function textOf(node: Node): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

const offsetOf = ({ position }: Node, side: 'start' | 'end'): number => position?.[side].offset ?? 0

const lineStart = ({ position }: Node): number =>
  position ? (position.start.offset ?? 0) - position.start.column + 1 : 0
