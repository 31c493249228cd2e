import { styleText } from 'node:util'

/** `text` for people, `json` for one document, or `lines` for one JSON line per element. */
export type Format = 'text' | 'json' | 'lines'

/** A table column: its title, and a function that returns its text. */
export type Column<T> = [title: string, text: (item: T) => unknown]

/** Writes to stdout, and waits if the reader is slow. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise(resolve => {
    if (process.stdout.write(text)) resolve()
    else process.stdout.once('drain', resolve)
  })
}

export const writeJson = (value: unknown): Promise<void> => write(`${JSON.stringify(value ?? null, null, 2)}\n`)

export const writeLine = (value: unknown): Promise<void> => write(`${JSON.stringify(value)}\n`)

/**
 * Renders a table. Values are never truncated. Titles are shown only on a terminal, so that `awk` and `cut` get only
 * rows.
 */
export function renderTable<T>(items: T[], columns: Column<T>[]): string {
  const rows = items.map(item => columns.map(([, text]) => formatCell(text(item))))
  if (!process.stdout.isTTY) return rows.map(row => `${row.join('\t')}\n`).join('')
  const titles = columns.map(([title]) => title.toUpperCase())
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  const head = styleText('dim', line(titles), { stream: process.stdout })
  return `${[head, ...rows.map(line)].join('\n')}\n`
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replaceAll(/\s+/g, ' ')
}
