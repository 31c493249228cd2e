import mammoth from 'mammoth'
import { broken, encrypted, unsupported } from '../../../../services/documents/reading/document-error.ts'
import { markdownFromHtml } from '../markdown/from-html.ts'
import { BoundedText } from '../../../../services/documents/reading/text.ts'
import { openPackage, type Package } from '../zip/package.ts'
import { coreProperties } from './docx-properties.ts'
import type { Format } from '../../../../services/documents/reading/formats/format.ts'

/** The first bytes of encrypted documents and of old Word files. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le')
const TITLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

/** Converts a Word document to Markdown: headings, lists, tables, notes, and images as their descriptions. */
export const docx: Format = async ({ bytes, limits }) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) throw compoundFile(file)
  const parts = openPackage(file, limits)
  if (!parts.exists('[Content_Types].xml') || parts.exists('xl/workbook.xml') || parts.exists('ppt/presentation.xml'))
    throw unsupported('The file is not a Word document')
  const { title, ...metadata } = await coreProperties(parts)
  const out = new BoundedText(limits.textChars)
  markdownFromHtml(await convertToHtml(parts), out)
  const text = out.toString()
  return { text, title: title || /^# (.+)$/m.exec(text)?.[1], metadata }
}

const compoundFile = (file: Buffer) =>
  file.includes(ENCRYPTED_STREAM)
    ? encrypted('document')
    : unsupported('The file is in an old Word format; save it as DOCX')

/** mammoth receives a limited package, because it unpacks a buffer without limits. */
async function convertToHtml(parts: Package): Promise<string> {
  const convert = mammoth.convertToHtml as unknown as (
    input: { file: Package },
    options: Parameters<typeof mammoth.convertToHtml>[1],
  ) => ReturnType<typeof mammoth.convertToHtml>
  const { value, messages } = await convert(
    { file: parts },
    {
      styleMap: TITLES,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  )
  const problem = messages.find(message => message.type === 'error')
  if (value === '' && problem) throw broken('The document is damaged', problem.error)
  return value
}
