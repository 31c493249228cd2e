/** Text that wide gaps separate from other text, such as a table cell or one side of a form. `at` is its column. */
export interface Cell {
  text: string
  at: number
}

/** A text as lines of cells, without empty lines, grouped by page. */
export type Layout = Cell[][]

const GAP = /\t+| {2,}|[ \t]*\|[ \t]*/

export function layOut(text: string): Layout {
  return text
    .split(/\r?\n|\f/)
    .map(splitCells)
    .filter(cells => cells.length > 0)
}

function splitCells(line: string): Cell[] {
  let at = 0
  return line.split(new RegExp(`(${GAP.source})`)).flatMap((part, i) => {
    const start = at
    at += part.length
    const text = part.trim()
    return i % 2 === 0 && text ? [{ text, at: start }] : []
  })
}

/** Returns the cell below: the cell in approximately the same column, or the only cell in the next line. */
export function below(layout: Layout, row: number, cell: Cell): Cell | undefined {
  const next = layout[row + 1] ?? []
  return (
    next.find(other => Math.abs(other.at - cell.at) <= 3) ??
    (next.length === 1 && layout[row]?.length === 1 ? next[0] : undefined)
  )
}
