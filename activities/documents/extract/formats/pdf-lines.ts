/** A printed line of a page. */
export interface Line {
  text: string
  /** Height of its largest letters, in points. */
  size: number
  /** Position of its base line, from the bottom of the page. */
  y: number
}

/** A run of letters from PDF.js. */
interface TextRun {
  str: string
  transform: number[]
  hasEOL: boolean
}

/** Returns the lines with text, in the order of the page's content. */
export function groupIntoLines(items: object[]): Line[] {
  const lines: Line[] = []
  let runs: TextRun[] = []
  for (const item of items) {
    if (!isRun(item)) continue
    if (isBelow(item, runs.at(-1))) endLine()
    runs.push(item)
    if (item.hasEOL) endLine()
  }
  endLine()
  return lines

  function endLine(): void {
    const text = runs
      .map(run => run.str)
      .join('')
      .trim()
    const printed = runs.filter(run => run.str.trim() !== '')
    if (printed.length > 0) lines.push({ text, size: Math.max(...printed.map(letterHeight)), y: baseline(printed[0]!) })
    runs = []
  }
}

/** Returns true for a run below a subscript. PDF.js assigns it to the same line when letters are large. */
function isBelow(run: TextRun, last?: TextRun): boolean {
  if (!last || run.str.trim() === '' || last.str.trim() === '') return false
  return Math.abs(baseline(run) - baseline(last)) > Math.min(letterHeight(run), letterHeight(last))
}

const isRun = (item: object): item is TextRun => 'str' in item

const baseline = ({ transform }: TextRun): number => transform[5] ?? 0

const letterHeight = ({ transform }: TextRun): number => Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
