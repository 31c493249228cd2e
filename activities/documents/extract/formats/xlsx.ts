import { zipSync } from 'fflate'
import readWorkbook, { type CellValue, type Row } from 'read-excel-file/universal'
import { escapeText } from '../../../../services/documents/reading/escape.ts'
import { unsupportedDocumentError } from '../../../../services/documents/reading/document-error.ts'
import type { ExtractLimits } from '../../../../services/documents/reading/limits.ts'
import { BoundedText } from '../../../../services/documents/reading/text.ts'
import type { Format } from '../../../../services/documents/reading/formats/format.ts'
import { openPackage, type Package } from '../office-package.ts'
import { refuseCompoundFile } from './compound-file.ts'
import { coreProperties } from './docx-properties.ts'

/** Converts a workbook to Markdown. Each sheet becomes a heading and a table, with the first row as the header. */
export const xlsx: Format = async ({ bytes, limits }) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  refuseCompoundFile(file, 'XLSX')
  const parts = await openPackage(file, limits)
  if (!parts.exists('xl/workbook.xml')) throw unsupportedDocumentError('The file is not a workbook')
  const { title, ...metadata } = await coreProperties(parts)
  return { text: await readSheets(parts, limits), title, metadata }
}

async function readSheets(parts: Package, { textChars }: ExtractLimits): Promise<string> {
  const out = new BoundedText(textChars)
  for (const { sheet, data } of await readWorkbook(await repack(parts))) {
    const rows = data.map(readCells).filter(cells => cells.length > 0)
    const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0)
    if (columns === 0) continue
    out.add(`${out.length > 0 ? '\n' : ''}## ${escapeText(sheet)}\n\n`)
    for (const [at, cells] of rows.entries()) {
      out.add(`| ${cells.join(' | ')} |\n`)
      if (at === 0) out.add(`|${' --- |'.repeat(columns)}\n`)
    }
  }
  return out.toString().trim()
}

/**
 * The library unpacks without limits and in threads, so it receives the size-limited parts in an uncompressed ZIP
 * file.
 */
async function repack(parts: Package): Promise<ArrayBuffer> {
  const files: Record<string, Uint8Array> = {}
  for (const name of parts.names())
    if (/\.xml(?:\.rels)?$/.test(name)) files[name] = Buffer.from(await parts.read(name, 'utf-8'))
  return zipSync(files, { level: 0 }).buffer
}

/** Returns the cells up to the last cell that has a value. */
function readCells(row: Row): string[] {
  const cells = row.map(formatCell)
  return cells.slice(0, cells.findLastIndex(Boolean) + 1)
}

function formatCell(value: CellValue | null): string {
  if (value === null) return ''
  if ((value as unknown) instanceof Date)
    return (value as unknown as Date).toISOString().replace(/T00:00:00.000Z$|\.000Z$/, '')
  return escapeText(String(value).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'))
}
