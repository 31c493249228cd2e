import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Block, shortenLine } from './block.ts'
import { splitLines, type Span } from './span.ts'

type Root = ReturnType<typeof fromMarkdown>
type Node =
  Root | Root['children'][number] | Extract<Root['children'][number], { children: unknown[] }>['children'][number]

/** A code block or table that continues in the next window. */
export interface Carry {
  /** Text to prepend to the next window for parsing. */
  prefix: string
  /** Text of the table's header row. */
  header?: string
}

export interface ParseResult {
  blocks: Block[]
  carry?: Carry
}

/** Constructs inside paragraphs. They are not parsed, because blocks don't depend on them and some are expensive. */
const INLINE =
  'attention autolink characterEscape characterReference codeText definition hardBreakEscape htmlText labelEnd labelStartImage labelStartLink'
/** Block types that occur by accident in plain text, with sentences inside. */
const ACCIDENTAL = 'codeIndented htmlFlow'
const BLOCKS = {
  extensions: [{ flow: gfm().flow, disable: { null: `${INLINE} ${ACCIDENTAL}`.split(' ') } }],
  mdastExtensions: gfmFromMarkdown().filter(({ enter }) => enter && 'table' in enter),
}
/** Maximum length of a heading, which is one line. Longer lines are treated as paragraphs. */
const MAX_HEADING_CHARS = 200
const MAX_TITLE_CHARS = 80
const MAX_HEADER_CHARS = 120
const MAX_PREFIX_CHARS = 2_000

/** Parses the blocks in a window of Markdown-like text. */
export function parseBlocks(text: string, window: Span, carry?: Carry): ParseResult {
  const prefix = carry?.prefix ?? ''
  // The parser would remove a byte order mark and shift the offsets.
  const source = prefix + text.slice(window.start, window.end).replace(/^\uFEFF/, ' ')
  const root = fromMarkdown(source, BLOCKS)
  const context: ParseContext = { source, from: prefix.length, shift: window.start - prefix.length, carry }
  const blocks = tileBlocks(context, root.children, { start: prefix.length, end: source.length }, buildTopBlock)
  return { blocks, carry: findCarry(context, root.children.at(-1)) }
}

/** Returns the text of a window as paragraphs separated by blank lines. */
export function plainBlocks(text: string, window: Span): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of splitLines(text, window)) {
    if (open) open.end = line.end
    else blocks.push((open = { ...line, kind: 'prose', children: [] }))
    if (text.slice(line.start, line.end).trim() === '') open = undefined
  }
  return blocks
}

interface ParseContext {
  source: string
  /** Offset of the window in the source, after the carried prefix. */
  from: number
  /** Difference between an offset in the text and the same offset in the source. */
  shift: number
  carry?: Carry
}

type ToBlock = (reading: ParseContext, node: Node, span: Span) => Block

/** Converts nodes to blocks that cover the whole span. Each block starts at the line where its node starts. */
function tileBlocks(reading: ParseContext, nodes: readonly Node[], span: Span, toBlock: ToBlock): Block[] {
  const starts = nodes.map(node => Math.max(getLineStart(node), span.start))
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

function buildTopBlock(reading: ParseContext, node: Node, span: Span): Block {
  if (node.type !== 'heading') return buildInnerBlock(reading, node, span)
  const source = reading.source.slice(
    getOffset(node.children[0] ?? node, 'start'),
    getOffset(node.children.at(-1) ?? node, 'end'),
  )
  const isHeading = node.children.length > 0 && source.length <= MAX_HEADING_CHARS && !/[\r\n]/.test(source)
  if (!isHeading) return createBlock(reading, span, 'prose')
  return {
    ...createBlock(reading, span, 'heading'),
    level: node.depth,
    title: shortenLine(removeMarkup(source), MAX_TITLE_CHARS),
  }
}

function buildInnerBlock(reading: ParseContext, node: Node, span: Span): Block {
  if (node.type === 'table') return buildTableBlock(reading, node, span)
  const block = createBlock(reading, span, node.type === 'code' ? 'code' : 'prose')
  const isContainer = node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote'
  return isContainer ? { ...block, children: tileBlocks(reading, node.children, span, buildInnerBlock) } : block
}

function buildTableBlock(reading: ParseContext, table: Extract<Node, { type: 'table' }>, span: Span): Block {
  const isContinued = getOffset(table, 'start') < reading.from
  const header = isContinued ? reading.carry?.header : renderHeader(reading, table)
  const rows = tileBlocks(reading, table.children, span, (_, row, rowSpan) => ({
    ...createBlock(reading, rowSpan, 'table'),
    header: isContinued || row !== table.children[0] ? header : undefined,
  }))
  return { ...createBlock(reading, span, 'table'), header: isContinued ? header : undefined, children: rows }
}

const createBlock = ({ shift }: ParseContext, { start, end }: Span, kind: Block['kind']): Block => ({
  start: start + shift,
  end: end + shift,
  kind,
  children: [],
})

function renderHeader({ source }: ParseContext, table: Extract<Node, { type: 'table' }>): string {
  const cells = table.children[0]?.children ?? []
  const texts = cells.map(({ children }) =>
    children.map(child => source.slice(getOffset(child, 'start'), getOffset(child, 'end'))).join(' '),
  )
  return shortenLine(texts.join(' | '), MAX_HEADER_CHARS)
}

/** Returns the carry for the last block, if the block reaches the end of the window and continues. */
function findCarry(reading: ParseContext, last: Node | undefined): Carry | undefined {
  if (!last) return undefined
  const { source } = reading
  const rest = source.slice(getOffset(last, 'end'))
  if (last.type === 'code' && rest.trim() === '') {
    const fence = findOpenFence(source.slice(getOffset(last, 'start'), getOffset(last, 'end')))
    return fence ? { prefix: `${fence}\n` } : undefined
  }
  if (last.type !== 'table' || !/^[ \t]*(?:\r\n|\n|\r)?$/.test(rest)) return undefined
  if (getOffset(last, 'start') < reading.from) return reading.carry
  const [, firstRow] = last.children
  const prefix = source.slice(getLineStart(last), firstRow ? getLineStart(firstRow) : source.length)
  return prefix.length <= MAX_PREFIX_CHARS ? { prefix, header: renderHeader(reading, last) } : undefined
}

/** Returns the fence of an unclosed code block. */
function findOpenFence(code: string): string | undefined {
  const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(code) ?? []
  const [, closing] = /[\r\n][ \t]*(`{3,}|~{3,})[ \t]*$/.exec(code.slice(-MAX_PREFIX_CHARS)) ?? []
  return fence && closing?.startsWith(fence) ? undefined : fence
}

/** Returns the text of a heading without markup: `**Bold** and [linked](url)` becomes "Bold and linked". */
function removeMarkup(heading: string): string {
  return /[*_`[\]<>&\\!]/.test(heading) ? toPlainText(fromMarkdown(`# ${heading}`)) : heading
}

function toPlainText(node: Node): string {
  if ('children' in node) return node.children.map(toPlainText).join('')
  return 'value' in node ? node.value : ''
}

const getOffset = ({ position }: Node, side: 'start' | 'end'): number => position?.[side].offset ?? 0

const getLineStart = ({ position }: Node): number =>
  position ? (position.start.offset ?? 0) - position.start.column + 1 : 0
