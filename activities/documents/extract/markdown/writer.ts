import type { BoundedText } from '../../../../services/documents/reading/text.ts'
import { escapeTags, escapeText } from '../../../../services/documents/reading/escape.ts'
import { Table } from './table.ts'

interface Item {
  /** The prefix of the item's first block, such as `- ` or `3. `. */
  marker: string
  used: boolean
}

/** Maximum indentation of nested lists and quotes. */
const MAX_INDENT = 32

/** Writes Markdown from a sequence of inline texts, block starts and block ends. */
export class MarkdownWriter {
  readonly #out: BoundedText
  readonly #containers: (Item | 'quote')[] = []
  readonly #lists: { next: number | undefined }[] = []
  #inline: string[] = []
  #spaced = true
  #heading = 0
  /** The open tables, innermost last. Undefined represents a layout table. */
  readonly #tables: (Table | undefined)[] = []
  #pre: string[] | undefined
  /** True if the last block written belongs to the open list. */
  #inList = false

  constructor(out: BoundedText) {
    this.#out = out
  }

  /** Collapses whitespace to one space, except in preformatted text. */
  text(data: string): void {
    if (this.#pre) {
      this.#pre.push(data)
      return
    }
    const collapsed = data.replaceAll(/\s+/g, ' ')
    const text = this.#spaced && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    if (text === '') return
    this.#inline.push(text)
    this.#spaced = text.endsWith(' ')
  }

  lineBreak(): void {
    if (this.#pre || (this.#heading === 0 && !this.#table?.inCell)) this.#push('\n')
    else this.text(' ')
  }

  /** Ends the current block, if any. */
  endBlock(): void {
    if (this.#pre?.at(-1)?.endsWith('\n') === false) this.#pre.push('\n')
    const text = this.#inline
      .join('')
      .replaceAll(/ *\n */g, '\n')
      .trim()
    this.#inline = []
    this.#spaced = true
    if (text === '') return
    const heading = this.#heading > 0 && !this.#table?.inCell
    this.#block(heading ? `${'#'.repeat(this.#heading)} ${escapeTags(text)}` : escapeText(text))
  }

  openHeading(level: number): void {
    this.endBlock()
    this.#heading = level
  }

  closeHeading(): void {
    this.endBlock()
    this.#heading = 0
  }

  rule(): void {
    this.endBlock()
    if (!this.#table?.inCell) this.#block('* * *')
  }

  openQuote(): void {
    this.endBlock()
    this.#containers.push('quote')
  }

  /** @param start the first number of an ordered list */
  openList(start?: number): void {
    this.endBlock()
    this.#lists.push({ next: start })
  }

  closeList(): void {
    this.endBlock()
    this.#lists.pop()
    if (this.#lists.length === 0) this.#inList = false
  }

  openItem(): void {
    this.endBlock()
    const list = this.#lists.at(-1)
    this.#containers.push({ marker: list?.next === undefined ? '- ' : `${list.next++}. `, used: false })
  }

  /** Closes a quote or a list item. */
  closeContainer(): void {
    this.endBlock()
    this.#containers.pop()
  }

  openPre(): void {
    this.endBlock()
    this.#pre ??= []
  }

  closePre(): void {
    const code = (this.#pre ?? [])
      .join('')
      .replace(/^\r?\n/, '')
      .trimEnd()
    this.#pre = undefined
    if (code === '') return
    const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
    const fence = '`'.repeat(longest + 1)
    this.#block(this.#table?.inCell ? escapeText(code) : `${fence}\n${code}\n${fence}`)
  }

  openTable(layout = false): void {
    this.endBlock()
    this.#openUp()
    this.#tables.push(layout ? undefined : new Table())
  }

  openRow(): void {
    this.endBlock()
    this.#table?.openRow()
  }

  openCell(span: number): void {
    this.endBlock()
    this.#table?.openCell(span)
  }

  closeCell(): void {
    this.endBlock()
    this.#table?.closeCell()
  }

  closeRow(): void {
    this.endBlock()
    this.#table?.closeRow()
  }

  closeTable(): void {
    this.endBlock()
    const blocks = this.#tables.pop()?.blocks() ?? []
    for (const block of blocks) this.#block(block)
  }

  get #table(): Table | undefined {
    return this.#tables.at(-1)
  }

  /** Converts the open table to a layout table, because it contains another table. */
  #openUp(): void {
    const outer = this.#table
    if (!outer) return
    this.#tables[this.#tables.length - 1] = undefined
    for (const block of outer.cells()) this.#block(block)
  }

  #push(text: string): void {
    if (this.#pre) this.#pre.push(text)
    else this.#inline.push(text)
    this.#spaced = true
  }

  #block(block: string): void {
    if (this.#table?.inCell) {
      this.#table.addToCell(block)
      return
    }
    const open = this.#containers.slice(0, MAX_INDENT)
    const begins = open.some(level => level !== 'quote' && !level.used)
    if (this.#out.length > 0) this.#out.add(begins && this.#inList ? '\n' : '\n\n')
    const rest = open.map(level => (level === 'quote' ? '> ' : ' '.repeat(level.marker.length))).join('')
    const first = open
      .map(level => (level === 'quote' ? '> ' : level.used ? ' '.repeat(level.marker.length) : level.marker))
      .join('')
    for (const level of open) if (level !== 'quote') level.used = true
    this.#inList = this.#lists.length > 0
    this.#out.add(first + (rest ? block.replaceAll('\n', `\n${rest}`) : block))
  }
}
