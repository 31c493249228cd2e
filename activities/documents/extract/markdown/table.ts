/** Maximum cell span. A larger span could exhaust memory. */
const MAX_SPAN = 100

/** A table that is being parsed. */
export class Table {
  readonly #rows: string[][] = []
  #row: string[] | undefined
  #cell: string[] | undefined
  #span = 1

  get inCell(): boolean {
    return this.#cell !== undefined
  }

  openRow(): void {
    this.#row = []
    this.#rows.push(this.#row)
  }

  openCell(span: number): void {
    if (!this.#row) this.openRow()
    this.#cell = []
    this.#span = Math.min(Math.max(1, Math.trunc(span) || 1), MAX_SPAN)
  }

  addToCell(block: string): void {
    this.#cell?.push(block)
  }

  closeCell(): void {
    if (!this.#cell) return
    const text = this.#cell.join(' ').replaceAll(/\s+/g, ' ')
    this.#row?.push(text, ...Array<string>(this.#span - 1).fill(''))
    this.#cell = undefined
  }

  closeRow(): void {
    this.closeCell()
    this.#row = undefined
  }

  /** Returns each cell as a block. Used for a table that contains another table and therefore serves as layout. */
  cells(): string[] {
    this.closeRow()
    return this.#rows.flat().filter(Boolean)
  }

  /** Returns the table as Markdown, with the first row as the header. A single column does not count as a table. */
  blocks(): string[] {
    this.closeRow()
    const rows = this.#rows.filter(row => row.some(Boolean))
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
    if (columns < 2) return rows.flat()
    const lines = rows.map(row => line(row, columns))
    lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
    return [lines.join('\n')]
  }
}

function line(row: string[], columns: number): string {
  const cells = row.map(cell => cell.replaceAll('|', '\\|'))
  return `| ${cells.join(' | ')} |${'  |'.repeat(columns - row.length)}`
}
