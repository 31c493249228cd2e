const CANDIDATES = [',', ';', '\t', '|']
const SAMPLE_CHARS = 65_536
const SAMPLE_LINES = 100
/** Excel's delimiter declaration on the first line. */
const DECLARED = /^sep=(.)\n/

export interface Delimiter {
  delimiter: string
  /** The offset of the first row. */
  from: number
}

/**
 * Returns the delimiter that occurs equally often in most lines. If several delimiters qualify, returns the most
 * frequent one.
 */
export function detectDelimiter(text: string): Delimiter {
  const declared = DECLARED.exec(text)
  if (declared) return { delimiter: declared[1]!, from: declared[0].length }
  const lines = linesWithoutQuoted(text.slice(0, SAMPLE_CHARS))
  const scored = CANDIDATES.map(delimiter => ({ delimiter, score: evenness(lines, delimiter) }))
  const best = scored.reduce((best, candidate) => (candidate.score > best.score ? candidate : best))
  return { delimiter: best.delimiter, from: 0 }
}

function linesWithoutQuoted(sample: string): string[] {
  const lines = sample.replaceAll(/"[^"]*"/g, '').split('\n')
  // The sample may end in the middle of a line.
  if (lines.length > 1) lines.pop()
  return lines.filter(Boolean).slice(0, SAMPLE_LINES)
}

function evenness(lines: string[], delimiter: string): number {
  const counts = lines.map(line => line.split(delimiter).length - 1)
  const most = mostFrequent(counts.filter(Boolean))
  if (most === undefined) return 0
  return counts.filter(count => count === most).length + most / 1_000
}

function mostFrequent(counts: number[]): number | undefined {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0]
}
