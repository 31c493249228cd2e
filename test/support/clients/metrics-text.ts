/** One series in a scrape, with its name, labels and value. */
export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g

/** Parses the Prometheus text format. Throws on an invalid line. */
export function parseMetrics(text: string): Series[] {
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name, labels = '', value = ''] = LINE.exec(line) ?? []
      const pairs = [...labels.matchAll(LABEL)]
      if (!name || pairs.map(([pair]) => pair).join('') !== labels) throw new Error(`not a line of metrics: ${line}`)
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
        value: parseNumber(value),
      }
    })
}

const parseNumber = (text: string): number => (text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text))

/** Adds up the values of the named series with these labels. Returns undefined if there are none. */
export function sumSeries(series: Series[], name: string, labels: Record<string, string> = {}): number | undefined {
  const matches = series.filter(
    candidate =>
      candidate.name === name && Object.entries(labels).every(([key, value]) => candidate.labels[key] === value),
  )
  return matches.length === 0 ? undefined : matches.reduce((sum, { value }) => sum + value, 0)
}
