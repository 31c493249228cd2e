import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { brokenDocumentError, DocumentError } from '../document-error.ts'
import { escapeText } from '../escape.ts'
import { BoundedText, cleanText } from '../text.ts'
import { detectDelimiter } from './csv-delimiter.ts'
import { type TextFormat, decodeSource } from './format.ts'

type Row = string[]

interface Renderer {
  add(row: Row): void
  /** Called after the last row. */
  end(): void
}

const MAX_COLUMNS = 2_000
const MAX_HEADER_CHARS = 100
const LOOKS_LIKE_DATA = /^[-+]?[\p{Sc}\s]*\d[\d.,:/\s%\p{Sc}TZ-]*$/u

/**
 * Converts each CSV row to a paragraph with `header: value` lines, so that search finds each row without the table
 * header. If there is no header, or the result would exceed the limit, each row becomes a single line with its cells.
 */
export const csv: TextFormat = reading => {
  const text = cleanText(decodeSource(reading))
  const { textChars } = reading.limits
  try {
    return { text: render(text, textChars, asRecords) }
  } catch (error) {
    if (!(error instanceof DocumentError) || error.code !== 'DOCUMENT_TOO_LARGE') throw error
    return { text: render(text, textChars, asLines) }
  }
}

function render(text: string, maxChars: number, createRendering: (out: BoundedText) => Renderer): string {
  const { delimiter, from } = detectDelimiter(text)
  const out = new BoundedText(maxChars)
  const rendering = createRendering(out)
  try {
    parse(text.slice(from), {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 0,
      // Rows are not collected, because together they could take many times the size of the file.
      on_record: (row: Row) => {
        rendering.add(row)
        return undefined
      },
    })
  } catch (error) {
    throw error instanceof CsvError ? brokenDocumentError(describeCsvError(error), error) : error
  }
  rendering.end()
  return out.toString().trim()
}

function asRecords(out: BoundedText): Renderer {
  const lines = asLines(out)
  let header: Row | undefined
  let rows = 0
  return {
    add(row) {
      if (++rows === 1 && isHeader(row)) header = row
      else if (header) out.add(record(header, row))
      else lines.add(row)
    },
    end() {
      if (header && rows === 1) lines.add(header)
    },
  }
}

function asLines(out: BoundedText): Renderer {
  return {
    add: row => out.add(`${escapeText(row.join(' | '))}\n`),
    end: () => undefined,
  }
}

/** Returns true if all cells are distinct names, not numbers or dates. A single-column row is never a header. */
function isHeader(row: Row): boolean {
  if (row.length < 2 || row.length > MAX_COLUMNS) return false
  const named = row.every(cell => cell !== '' && cell.length <= MAX_HEADER_CHARS && !LOOKS_LIKE_DATA.test(cell))
  return named && new Set(row).size === row.length
}

function record(header: Row, row: Row): string {
  const lines = row.flatMap((cell, at) => (cell === '' ? [] : [`${header[at] ?? `column ${at + 1}`}: ${cell}`]))
  return lines.length === 0 ? '' : `${escapeText(lines.join('\n'))}\n\n`
}

function describeCsvError(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'The CSV has an unclosed quotation mark'
  const line = /line (\d+)/.exec(error.message)?.[1]
  return line ? `The CSV is invalid at line ${line}` : 'The CSV is invalid'
}
