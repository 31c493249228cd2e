import mammoth from 'mammoth'
import { brokenDocumentError, unsupportedDocumentError } from '../../../../services/documents/reading/document-error.ts'
import { markdownFromHtml } from '../markdown/from-html.ts'
import { BoundedText } from '../../../../services/documents/reading/text.ts'
import type { ExtractLimits } from '../../../../services/documents/reading/limits.ts'
import { openPackage, type Package } from '../office-package.ts'
import { refuseCompoundFile } from './compound-file.ts'
import { openMargins, withoutHidden } from './docx-parts.ts'
import { coreProperties } from './docx-properties.ts'
import type { Format } from '../../../../services/documents/reading/formats/format.ts'

const TITLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

/**
 * Converts a Word document to Markdown: headings, lists, tables, notes, and images as their descriptions. Headers
 * come before the text and footers after it. Hidden text is omitted.
 */
export const docx: Format = async ({ bytes, limits }) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  refuseCompoundFile(file, 'DOCX')
  const parts = await openPackage(file, limits)
  if (!parts.exists('[Content_Types].xml') || parts.exists('xl/workbook.xml') || parts.exists('ppt/presentation.xml'))
    throw unsupportedDocumentError('The file is not a Word document')
  const { title, ...metadata } = await coreProperties(parts)
  const visibleParts = await withoutHidden(parts)
  const body = await convert(visibleParts, limits)
  const [headers, footers] = [
    await readMargins(visibleParts, 'header', limits),
    await readMargins(visibleParts, 'footer', limits),
  ]
  const text = [...headers, body, ...footers].filter(Boolean).join('\n\n')
  return { text, title: title || /^# (.+)$/m.exec(body)?.[1], metadata }
}

/** Returns the texts of headers or footers without duplicates, because sections often repeat them. */
async function readMargins(parts: Package, kind: 'header' | 'footer', limits: ExtractLimits): Promise<Set<string>> {
  const texts = new Set<string>()
  for (const margin of await openMargins(parts, kind)) texts.add(await convert(margin, limits))
  return texts
}

async function convert(parts: Package, { textChars }: ExtractLimits): Promise<string> {
  const out = new BoundedText(textChars)
  markdownFromHtml(await convertToHtml(parts), out)
  return out.toString()
}

/** mammoth receives a size-limited package, because it would unpack a buffer without limits. */
async function convertToHtml(parts: Package): Promise<string> {
  const convertPackage = mammoth.convertToHtml as unknown as (
    input: { file: Package },
    options: Parameters<typeof mammoth.convertToHtml>[1],
  ) => ReturnType<typeof mammoth.convertToHtml>
  const { value, messages } = await convertPackage(
    { file: parts },
    {
      styleMap: TITLES,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  )
  const problem = messages.find(message => message.type === 'error')
  if (value === '' && problem) throw brokenDocumentError('The document is damaged', problem.error)
  return value
}
