import { readByColumns } from './pdf-columns.ts'
import { baseline, isPrinted, letterHeight, type TextRun } from './pdf-runs.ts'

/** A printed line on a page. */
export interface Line {
  text: string
  /** Height of the line's largest letters, in points. */
  size: number
  /** Baseline position from the bottom of the page. */
  y: number
}

/** Returns the lines that contain text, in page content order, column by column. */
export const groupIntoLines = (items: object[]): Line[] => readByColumns(groupIntoRows(items)).map(buildLine)

function buildLine(runs: TextRun[]): Line {
  const text = runs
    .map(run => run.str)
    .join('')
    .trim()
  const printed = runs.filter(isPrinted)
  return { text, size: Math.max(...printed.map(letterHeight)), y: baseline(printed[0]!) }
}

function groupIntoRows(items: object[]): TextRun[][] {
  const rows: TextRun[][] = []
  let runs: TextRun[] = []
  for (const item of items) {
    if (!isRun(item)) continue
    if (isBelow(item, runs.at(-1))) endLine()
    runs.push(item)
    if (item.hasEOL) endLine()
  }
  endLine()
  return rows

  function endLine(): void {
    if (runs.some(isPrinted)) rows.push(runs)
    runs = []
  }
}

/** Returns true for a run below a subscript. PDF.js assigns such a run to the same line if the letters are large. */
function isBelow(run: TextRun, last?: TextRun): boolean {
  if (!last || run.str.trim() === '' || last.str.trim() === '') return false
  return Math.abs(baseline(run) - baseline(last)) > Math.min(letterHeight(run), letterHeight(last))
}

const isRun = (item: object): item is TextRun => 'str' in item
