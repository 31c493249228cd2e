import { fileTypeFromBuffer } from 'file-type'
import { charsetOfMark } from './charset.ts'
import { COMPOUND_FILE, DOCX, PDF, XLSX, ZIP } from './known-types.ts'

/** File properties detected from the bytes. */
export interface SniffResult {
  empty: boolean
  /** True if the sample consists of readable characters. */
  text: boolean
  html: boolean
  /** True if the file may be a PDF. Some PDFs start with a few other bytes. */
  pdf: boolean
  /** True if the file may be any kind of Office document, including an encrypted document. */
  office: boolean
  /** True if the text starts with email headers. */
  email: boolean
  /** The media type, if the format was recognized by its first bytes. */
  format?: string
}

/** The format is detected within this number of bytes, so that detection time does not grow with file size. */
const SAMPLE_BYTES = 65_536
const PDF_HEAD_BYTES = 1_024
/** Text may contain a small share of control characters, but not U+0000. */
const CONTROL_SHARE = 0.01
const CONTROLS = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/gu
/**
 * Formats that consist of readable characters. For any other format detected in text, the matching first bytes are a
 * coincidence.
 */
const WRITTEN_IN_TEXT = new Set<string>([PDF, 'application/rtf', 'application/postscript'])
/** Every email has a sender and a date. */
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

/** Returns true if the first paragraph consists of header lines and includes the headers that every email has. */
function isEmail(start: string): boolean {
  const [head = ''] = start.split(/\r?\n\r?\n/, 1)
  const isHead = head.split(/\r?\n/).every(line => /^(?:[!-9;-~]+:|[ \t])/.test(line))
  return isHead && EMAIL_HEADERS.every(header => header.test(head))
}

async function detectFormat(bytes: Uint8Array, sample: Uint8Array): Promise<string | undefined> {
  const detectedType = await detectFileType(sample)
  // The format of a ZIP file may be declared anywhere in the file. The number of entries limits the search.
  const whole = detectedType === ZIP && bytes.length > sample.length ? await detectFileType(bytes) : detectedType
  // Documents with macros and templates count as documents.
  if (whole && /wordprocessingml|ms-word\.(?:document|template)/.test(whole)) return DOCX
  return whole && /spreadsheetml|ms-excel\.(?:sheet|template)\.macro/.test(whole) ? XLSX : whole
}

/** The library throws for some damaged ZIP files. In that case, the first bytes are sufficient. */
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
