import { MIMEType } from 'node:util'
import { UnsupportedMediaType, ValidationError } from '../../domain/errors.ts'
import { charsetOfMark, isValidIn, standardCharset } from './charset.ts'
import { type Sniffed, sniff } from './sniff.ts'
import {
  audioNamed,
  DOCX,
  isAudio,
  isText,
  isUnspecific,
  type MediaType,
  PDF,
  READABLE,
  typeOfFileName,
  typeOfName,
} from './known-types.ts'

export interface DocumentFile {
  bytes: Uint8Array
  /** A `Content-Type`, with or without charset. */
  declared?: string
  fileName?: string
}

export interface DocumentType {
  media_type: MediaType
  /** The standard name of the charset of text. */
  charset?: string
}

interface Claim {
  media_type?: MediaType
  charset?: string
  /** The declared type or file name, for messages. */
  words: string
}

const SHOWN = 100
/** The declaration of the charset in HTML is within this number of bytes. */
const HTML_HEAD_BYTES = 1_024
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i

/**
 * Detects the type of a file from its declared type, its name and its bytes, which take precedence. Throws
 * UnsupportedMediaType when the file is no readable document or contradicts its declared type, and ValidationError for
 * text that is not valid in its charset.
 */
export async function detectMediaType(file: DocumentFile): Promise<DocumentType> {
  const claim = parseClaim(file)
  const content = await sniff(file.bytes, claim.charset)
  const media_type = claim.media_type ? confirm(claim.media_type, content, claim) : recognise(content)
  if (!isText(media_type)) return { media_type }
  return { media_type, charset: await textCharset(file.bytes, media_type, claim.charset) }
}

function parseClaim({ declared, fileName = '' }: DocumentFile): Claim {
  const named = typeOfFileName(fileName)
  const { essence, charset } = declared?.trim() ? parseDeclared(declared) : {}
  if (essence === undefined || isUnspecific(essence))
    return { media_type: named, charset, words: `named ${clip(fileName)}` }
  const words = `declared as ${clip(essence)}`
  // Browsers declare CSV as Excel where a spreadsheet program is installed; many clients do not know Markdown.
  if (essence === 'application/vnd.ms-excel' && named === 'text/csv') return { media_type: named, charset, words }
  if (essence === 'text/plain' && named === 'text/markdown') return { media_type: named, charset, words }
  const media_type = typeOfName(essence)
  if (!media_type) throw unreadable(clip(essence))
  return { media_type, charset, words }
}

function parseDeclared(declared: string): { essence: string; charset?: string } {
  let type
  try {
    type = new MIMEType(declared)
  } catch {
    throw new UnsupportedMediaType(`"${clip(declared)}" must be a media type`)
  }
  const label = type.params.get('charset')
  if (!label) return { essence: type.essence }
  const charset = standardCharset(label)
  if (!charset) throw new UnsupportedMediaType(`The charset "${clip(label)}" is not supported`)
  return { essence: type.essence, charset }
}

function confirm(media_type: MediaType, content: Sniffed, { words }: Claim): MediaType {
  const fits = isAudio(media_type)
    ? findAudioType(content) === media_type
    : media_type === PDF
      ? content.pdf
      : media_type === DOCX
        ? content.word
        : content.text && content.format === undefined
  if (fits) return media_type
  if (content.empty) throw new ValidationError('The document is empty')
  const found = content.format ?? (content.text ? 'text' : 'binary data')
  throw new UnsupportedMediaType(`The document is ${words}, but its bytes are ${found}`)
}

function recognise(content: Sniffed): MediaType {
  if (content.format === PDF) return PDF
  if (content.format === DOCX) return DOCX
  const audio = findAudioType(content)
  if (audio) return audio
  if (content.text && content.format === undefined) return content.html ? 'text/html' : 'text/plain'
  throw unreadable(content.format)
}

/** The type of a container may include its codec. */
const findAudioType = ({ format }: Sniffed) => audioNamed(format?.split(';')[0] ?? '')

const unreadable = (type = 'this type') =>
  new UnsupportedMediaType(`Documents of ${type} are not supported; supported are ${READABLE}`)

async function textCharset(bytes: Uint8Array, media_type: MediaType, declared?: string): Promise<string> {
  const charset = charsetOfMark(bytes) ?? declared ?? (media_type === 'text/html' ? htmlCharset(bytes) : 'utf-8')
  if (await isValidIn(bytes, charset)) return charset
  const advice = declared ? '' : '; declare its charset, as in "text/plain; charset=windows-1252"'
  throw new ValidationError(`The text is not valid ${charset.toUpperCase()}${advice}`)
}

function htmlCharset(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HTML_HEAD_BYTES)).toString('latin1')
  const charset = standardCharset(META_CHARSET.exec(head)?.[1] ?? 'utf-8') ?? 'utf-8'
  // A head that is readable as ASCII is not UTF-16, so that declaration is ignored.
  return charset.startsWith('utf-16') ? 'utf-8' : charset
}

const clip = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
