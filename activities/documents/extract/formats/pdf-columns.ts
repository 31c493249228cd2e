import { baseline, isPrinted, letterHeight, type TextRun } from './pdf-runs.ts'

/** Minimum number of rows with text on both sides of a gutter. */
const MIN_ROWS = 4
/** Minimum width of a gutter, in letter heights. */
const MIN_GUTTER = 0.8
/** Minimum average number of characters per line in a prose column. Table cells have fewer. */
const MIN_CHARS = 20
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

interface Gutter {
  from: number
  to: number
}

/**
 * Reorders rows that are printed in two columns: first the left column, then the right. Table rows stay together,
 * because their cells are short. Right-to-left columns also stay together.
 */
export function readByColumns(rows: TextRun[][]): TextRun[][] {
  const ordered: TextRun[][] = []
  for (let at = 0; at < rows.length;) {
    const { end, gutter } = findBlock(rows, at)
    const block = rows.slice(at, end)
    const columns = gutter ? splitAt(block, gutter) : undefined
    ordered.push(...(columns ? columns.flat() : block))
    at = end
  }
  return ordered
}

/** Returns the end of the consecutive rows that share a gutter, starting with the first row. */
function findBlock(rows: TextRun[][], at: number): { end: number; gutter?: Gutter } {
  let gutter = widestGap(rows[at] ?? [])
  let end = at + 1
  for (; gutter && end < rows.length; end++) {
    const [above = [], row = []] = [rows[end - 1], rows[end]]
    const narrowed = top(row) < top(above) ? narrow(gutter, row) : undefined
    if (!narrowed) break
    gutter = narrowed
  }
  return { end, gutter }
}

const top = (row: TextRun[]): number => baseline(row.find(isPrinted)!)
const leftEdge = ({ transform }: TextRun): number => transform[4] ?? 0
const right = (run: TextRun): number => leftEdge(run) + run.width

function widestGap(row: TextRun[]): Gutter | undefined {
  const printed = row.filter(isPrinted)
  const gaps = printed.slice(1).map((run, at) => ({ from: right(printed[at]!), to: leftEdge(run) }))
  const widest = gaps.reduce<Gutter | undefined>(
    (most, gap) => (most && most.to - most.from >= gap.to - gap.from ? most : gap),
    undefined,
  )
  return widest && isWide(widest, row) ? widest : undefined
}

const isWide = ({ from, to }: Gutter, row: TextRun[]): boolean =>
  to - from >= MIN_GUTTER * letterHeight(row.find(isPrinted)!)

/** Returns the part of a gutter in which a row has no text. */
function narrow(gutter: Gutter, row: TextRun[]): Gutter | undefined {
  const middle = (gutter.from + gutter.to) / 2
  let { from, to } = gutter
  for (const run of row.filter(isPrinted)) {
    if (leftEdge(run) < middle) from = Math.max(from, right(run))
    else to = Math.min(to, leftEdge(run))
  }
  return isWide({ from, to }, row) ? { from, to } : undefined
}

/** Returns the columns as separate rows, or undefined if the columns are not prose. */
function splitAt(block: TextRun[][], { from, to }: Gutter): TextRun[][][] | undefined {
  const middle = (from + to) / 2
  const sides = [(run: TextRun) => leftEdge(run) < middle, (run: TextRun) => leftEdge(run) >= middle]
  const columns = sides.map(isOnSide => block.map(row => row.filter(isOnSide)))
  const printed = columns.map(column => column.filter(row => row.some(isPrinted)))
  const sharedLines = block.filter((_, at) => columns.every(column => column[at]?.some(isPrinted)))
  const areProse = printed.every(column => countChars(column) >= MIN_CHARS * column.length)
  const isLeftToRight = !block.flat().some(({ str }) => RIGHT_TO_LEFT.test(str))
  return sharedLines.length >= MIN_ROWS && areProse && isLeftToRight ? printed : undefined
}

const countChars = (rows: TextRun[][]): number => rows.flat().reduce((sum, { str }) => sum + str.trim().length, 0)
