import { fileTypeFromBuffer } from 'file-type'
import { charsetOfMark } from './charset.ts'
import { COMPOUND_FILE, DOCX, PDF, XLSX, ZIP } from './known-types.ts'

/** The properties of a file that its bytes show. */
export interface SniffResult {
  empty: boolean
  /** True when the sample consists of readable characters. */
  text: boolean
  html: boolean
  /** True when the file may be a PDF. Some PDFs start after a few other bytes. */
  pdf: boolean
  /** True when the file may be an Office document of any kind, also an encrypted one. */
  office: boolean
  /** True when the text begins with the headers of an email. */
  email: boolean
  /** The media type of a format that is recognised by its first bytes. */
  format?: string
}

/** The format is detected in this number of bytes, so the time does not grow with the size of the file. */
const SAMPLE_BYTES = 65_536
const PDF_HEAD_BYTES = 1_024
/** Text may contain a small share of control characters, but not U+0000. */
const CONTROL_SHARE = 0.01
const CONTROLS = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/gu
/** Formats of readable characters. Another format detected in text is a coincidence of the first bytes. */
const WRITTEN_IN_TEXT = new Set<string>([PDF, 'application/rtf', 'application/postscript'])
/** Each email has a sender and a date. */
const EMAIL_HEADERS = [/^from:/im, /^date:/im, /^(?:message-id|received|mime-version):/im]
const ZIP_START = Buffer.from('PK\x03\x04')

export async function sniff(bytes: Uint8Array, charset?: string): Promise<SniffResult> {
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
    office: format === ZIP || format === COMPOUND_FILE,
    email: text && isEmail(start),
    format,
  }
}

/** Returns true when the first paragraph is lines of headers, with those that each email has. */
function isEmail(start: string): boolean {
  const [head = ''] = start.split(/\r?\n\r?\n/, 1)
  const isHead = head.split(/\r?\n/).every(line => /^(?:[!-9;-~]+:|[ \t])/.test(line))
  return isHead && EMAIL_HEADERS.every(header => header.test(head))
}

async function detectFormat(bytes: Uint8Array, sample: Uint8Array): Promise<string | undefined> {
  const detectedType = await detectFileType(sample)
  // The format of a zip may be anywhere in it. The search is bounded by the number of entries.
  const whole = detectedType === ZIP && bytes.length > sample.length ? await detectFileType(bytes) : detectedType
  // Documents with macros and templates count as documents.
  if (whole && /wordprocessingml|ms-word\.(?:document|template)/.test(whole)) return DOCX
  return whole && /spreadsheetml|ms-excel\.(?:sheet|template)\.macro/.test(whole) ? XLSX : whole
}

/** The library throws for some damaged zips. The first bytes are then sufficient. */
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
