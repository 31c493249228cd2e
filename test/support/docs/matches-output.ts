/** Values that differ from run to run. The first match wins, so longer forms come first. */
const MASKS: [pattern: RegExp, name: string][] = [
  [/\bgn[a-z]{1,2}_[\w-]+/g, '<token>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d+)?)?/g, '<time>'],
  [/\b\d\d:\d\d:\d\d(\.\d+)?/g, '<time>'],
  [/\b\d{13}-\d+\b/g, '<id>'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '<host>'],
  [/\b\d+@[\w.-]+/g, '<worker>'],
  [/\/namespaces\/\w+/g, '/namespaces/<name>'],
  [/\b[0-9a-f]{12,}\b/g, '<hash>'],
  [/\bv?\d+\.\d+\.\d+\b/g, '<version>'],
  [
    /\b(just now|(in )?(an?|\d+(\.\d+)?) ?(ms|milliseconds?|s|seconds?|min|minutes?|h|hours?|d|days?)( ago)?)\b/g,
    '<duration>',
  ],
  [/\b\d{10,13}\b/g, '<time>'],
  [/\b[01]\.\d{2,4}\b/g, '<score>'],
]

// oxlint-disable-next-line no-control-regex -- colors of a terminal
const ESCAPES = /\u001B\[[\d;?]*[A-Za-z]/g
const ANY = '...'

/**
 * Returns whether a command printed what a page shows. As a line, `...` matches any lines. Within a line, it matches
 * any text.
 */
export function matchesOutput(shown: string[], printed: string): boolean {
  const lines = shown.map(line => mask(line))
  const pattern = lines.map(line => (line === ANY ? '(?:.*\n)*' : `${buildPattern(line)}\n`)).join('')
  const masked = readLines(printed).map(line => `${mask(line)}\n`)
  return new RegExp(`^${pattern}$`).test(masked.join(''))
}

/** Returns the lines that a terminal displays. A carriage return restarts its line. */
export function readLines(printed: string): string[] {
  const text = printed.replaceAll(ESCAPES, '').replaceAll(/\r+\n/g, '\n')
  const lines = text.split('\n').map(line => line.slice(line.lastIndexOf('\r') + 1))
  while (lines.at(-1)?.trim() === '') lines.pop()
  while (lines[0]?.trim() === '') lines.shift()
  return lines
}

const buildPattern = (line: string): string => line.split(ANY).map(RegExp.escape).join('.*')

/** Column widths depend on the values in the columns. */
const mask = (line: string): string =>
  MASKS.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line)
    .replaceAll(/\s+/g, ' ')
    .trim()
