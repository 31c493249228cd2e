import { fileTypeFromBuffer } from 'file-type'
import { charsetOfMark } from './charset.ts'
import { DOCX, PDF } from './known-types.ts'

/** The properties of a file that its bytes show. */
export interface Sniffed {
  empty: boolean
  /** Readable characters, as far as looked at. */
  text: boolean
  html: boolean
  /** Could be a PDF: some begin a little behind the start. */
  pdf: boolean
  /** Could be a Word document, also an encrypted one. */
  word: boolean
  /** The media type of a format that is recognised by its first bytes. */
  format?: string
}

/** Formats are recognised within this many bytes; the time it takes does not grow with the file. */
const SAMPLE_BYTES = 65_536
const PDF_HEAD_BYTES = 1_024
/** Text may hold a few stray control characters, never U+0000. */
const CONTROL_SHARE = 0.01
const CONTROLS = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/gu
/** Formats that are written in readable characters; any other that is found in text is text that begins by chance like it. */
const WRITTEN_IN_TEXT = new Set<string>([PDF, 'application/rtf', 'application/postscript'])
const ZIP = 'application/zip'
const ZIP_START = Buffer.from('PK\x03\x04')
/** Encrypted Office documents, and all documents of old Office. */
const COMPOUND_FILE = 'application/x-cfb'

export async function sniff(bytes: Uint8Array, charset?: string): Promise<Sniffed> {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const start = new TextDecoder(charsetOfMark(sample) ?? charset).decode(sample, { stream: true })
  const text = isReadable(start)
  const magic = await detectFormat(bytes, sample)
  const format = text && magic && !WRITTEN_IN_TEXT.has(magic) ? undefined : magic
  return {
    empty: bytes.length === 0,
    text,
    html: /^\s*<(?:!doctype html|html)[\s>]/i.test(start),
    pdf: format === PDF || Buffer.from(sample.subarray(0, PDF_HEAD_BYTES)).includes('%PDF-'),
    word:
      format !== undefined && (format === ZIP || format === COMPOUND_FILE || /wordprocessingml|ms-word/.test(format)),
    format,
  }
}

async function detectFormat(bytes: Uint8Array, sample: Uint8Array): Promise<string | undefined> {
  const found = await detectFileType(sample)
  // Which format a zip holds can stand anywhere in it; that search is bounded by its number of entries.
  const whole = found === ZIP && bytes.length > sample.length ? await detectFileType(bytes) : found
  // Documents with macros and templates are documents too.
  return whole && /wordprocessingml|ms-word\.(?:document|template)/.test(whole) ? DOCX : whole
}

/** The library fails where a zip is damaged just where it looks; how it begins is enough to know then. */
async function detectFileType(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime
  } catch {
    return Buffer.from(bytes.subarray(0, ZIP_START.length)).equals(ZIP_START) ? ZIP : undefined
  }
}

function isReadable(start: string): boolean {
  if (start.includes('\0')) return false
  const controls = start.match(CONTROLS)?.length ?? 0
  return controls <= start.length * CONTROL_SHARE
}
