import { getDocumentProxy } from 'unpdf'
import {
  brokenDocumentError,
  encryptedDocumentError,
  documentTooLargeError,
  textTooLongError,
} from '../../../../services/documents/reading/document-error.ts'
import { escapeText } from '../../../../services/documents/reading/escape.ts'
import { BoundedText, cleanText } from '../../../../services/documents/reading/text.ts'
import type { Format, FormatInput } from '../../../../services/documents/reading/formats/format.ts'
import { listFieldValues } from './pdf-fields.ts'
import { type Line, groupIntoLines } from './pdf-lines.ts'
import { bodySize, listWords, pageText } from './pdf-paragraphs.ts'

interface Page {
  lines: Line[]
  /** The values of form fields. */
  values: string[]
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

const MISSING_FONTS = 'Text in some fonts is missing: their character maps are neither in the PDF nor installed'
const NO_TEXT = 'The pages contain no readable text; they may be scanned images'
const WARNINGS = 1
const MAX_NAMED_PAGES = 20
const BETWEEN_PAGES = '\n\n'

/**
 * Extracts a PDF's text page by page. Large lines become headings, and form values are included. Lists pages without
 * text and pages that cannot be read.
 */
export const pdf: Format = async reading => {
  const fontsFailed = watchFonts()
  const document = await open(reading)
  const { pages, unreadable } = await readPages(document, reading)
  const empty = pages.flatMap(({ lines, values }, at) => (lines.length + values.length === 0 ? [at + 1] : []))
  const { title, ...metadata } = await readMetadata(document)
  const joined = joinPages(pages, reading.limits.textChars)
  const note = buildNote(pages.length, empty, unreadable, fontsFailed())
  return { ...joined, title, pages: pages.length, metadata: { ...metadata, note } }
}

/**
 * Detects fonts that could not be loaded. PDF.js reports such fonts only on the console and continues without their
 * text.
 */
function watchFonts(): () => boolean {
  let failed = false
  console.warn = (message: unknown) => {
    failed ||= String(message).includes('translateFont failed')
  }
  return () => failed
}

async function open({ bytes, limits }: FormatInput): Promise<Pdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
    verbosity: WARNINGS,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
  }).catch((error: Error) => {
    throw error.name === 'PasswordException'
      ? encryptedDocumentError('PDF')
      : brokenDocumentError('The PDF is truncated or damaged', error)
  })
  const { numPages } = document
  if (numPages > limits.pages)
    throw documentTooLargeError(`The PDF must have at most ${limits.pages} pages, not ${numPages}`)
  return document
}

async function readPages(document: Pdf, { limits, onProgress }: FormatInput) {
  const pages: Page[] = []
  const unreadable: number[] = []
  let chars = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await readPage(document, number)
    if (!page) unreadable.push(number)
    pages.push(page ?? { lines: [], values: [] })
    chars += page
      ? [...page.lines.map(line => line.text), ...page.values].reduce((sum, text) => sum + text.length, 0)
      : 0
    if (chars > limits.textChars) throw textTooLongError(limits.textChars)
    onProgress(number, document.numPages)
  }
  if (unreadable.length === pages.length) throw brokenDocumentError("None of the PDF's pages can be read")
  return { pages, unreadable }
}

async function readPage(document: Pdf, number: number): Promise<Page | undefined> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const values = await page.getAnnotations().then(listFieldValues, () => [])
    page.cleanup()
    return { lines: groupIntoLines(items), values }
  } catch {
    return undefined
  }
}

function joinPages(pages: Page[], maxChars: number): { text: string; page_offsets: number[] } {
  const out = new BoundedText(maxChars)
  const page_offsets: number[] = []
  const all = pages.map(({ lines }) => lines)
  const [body, words] = [bodySize(all), listWords(all)]
  for (const { lines, values } of pages) {
    const text = cleanText([pageText(lines, body, words), escapeText(values.join('\n'))].filter(Boolean).join('\n\n'))
    if (text !== '' && out.length > 0) out.add(BETWEEN_PAGES)
    page_offsets.push(out.length)
    out.add(text)
  }
  return { text: out.toString(), page_offsets }
}

function buildNote(pages: number, empty: number[], unreadable: number[], fontsFailed: boolean): string | undefined {
  const notes: string[] = []
  if (unreadable.length > 0) notes.push(`Pages that could not be read: ${listPages(unreadable)}`)
  if (fontsFailed) notes.push(MISSING_FONTS)
  const silent = empty.filter(number => !unreadable.includes(number))
  if (silent.length === pages && !fontsFailed) notes.push(NO_TEXT)
  else if (silent.length > 0) notes.push(`Pages without text, which may be scanned images: ${listPages(silent)}`)
  return notes.join('. ')
}

function listPages(pages: number[]): string {
  return pages.slice(0, MAX_NAMED_PAGES).join(', ') + (pages.length > MAX_NAMED_PAGES ? ' …' : '')
}

/** `D:20240131093000+01'00'` */
const PDF_DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-]\d\d)'?(\d\d)?|Z)?/

interface MetadataSource {
  getMetadata(): Promise<{ info: object }>
}

/** Returns a PDF's metadata, or none if the metadata is damaged. */
export async function readMetadata(document: MetadataSource): Promise<Record<string, string | undefined>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const text = (key: string) => asText((info as Record<string, unknown>)[key])
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    language: text('Language'),
    created: isoDate(text('CreationDate')),
    modified: isoDate(text('ModDate')),
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function isoDate(text?: string): string | undefined {
  const parts = PDF_DATE.exec(text ?? '')
  if (!parts) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinute = '00'] = parts
  const offset = zone ? `${zone}:${zoneMinute}` : 'Z'
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
