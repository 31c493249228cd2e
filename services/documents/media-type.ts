import { MIMEType } from 'node:util'
import { UnsupportedMediaType, ValidationError } from '../../domain/shared/errors.ts'
import { charsetOfMark, isValidIn, standardCharset } from './charset.ts'
import { type SniffResult, sniff } from './sniff.ts'
import {
  audioNamed,
  COMPOUND_FILE,
  DOCX,
  EML,
  isAudio,
  isStored,
  isText,
  isUnspecific,
  PDF,
  READABLE,
  STORED,
  type TextualType,
  typeOfCompoundFile,
  typeOfFileName,
  typeOfName,
  XLSX,
} from './known-types.ts'

export interface DocumentFile {
  bytes: Uint8Array
  /** A `Content-Type`, with or without charset. */
  declared?: string
  fileName?: string
}

export interface DocumentType {
  media_type: string
  /** The standard name of the charset of text. */
  charset?: string
  /** Whether the declared type or the name decided the type, and whether the charset was declared. */
  claimed: { media_type: boolean; charset: boolean }
}

interface Claim {
  /** The readable type that the document is said to have. */
  media_type?: TextualType
  /** A declared type that no reader has. */
  other?: string
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
 * UnsupportedMediaType when the file is of no known type or contradicts its declared type, and ValidationError for text
 * that is not valid in its charset.
 */
export async function detectMediaType(file: DocumentFile): Promise<DocumentType> {
  const claim = parseClaim(file)
  const content = await sniff(file.bytes, claim.charset)
  const media_type = claim.media_type ? confirm(claim.media_type, content, claim) : recognise(content, claim, file)
  const claimed = {
    media_type: claim.media_type !== undefined || claim.other !== undefined,
    charset: claim.charset !== undefined,
  }
  if (!isText(media_type)) return { media_type, claimed }
  return { media_type, charset: await textCharset(file.bytes, media_type, claim.charset), claimed }
}

/** Types that senders declare for others, by the type that the name shows. */
const MISNAMED: Record<string, TextualType[]> = {
  // Browsers declare CSV as Excel where a spreadsheet program is installed.
  'application/vnd.ms-excel': ['text/csv', XLSX],
  // Many clients know neither Markdown nor email.
  'text/plain': ['text/markdown', EML],
}

function parseClaim({ declared, fileName = '' }: DocumentFile): Claim {
  const named = typeOfFileName(fileName)
  const { essence, charset } = declared?.trim() ? parseDeclared(declared) : {}
  if (essence === undefined || isUnspecific(essence))
    return { media_type: named, charset, words: `named ${clip(fileName)}` }
  const words = `declared as ${clip(essence)}`
  if (named && MISNAMED[essence]?.includes(named)) return { media_type: named, charset, words }
  const media_type = typeOfName(essence)
  return { media_type, ...(media_type === undefined && { other: essence }), charset, words }
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

function confirm(media_type: TextualType, content: SniffResult, claim: Claim): TextualType {
  if (fits(media_type, content)) return media_type
  if (content.empty) throw new ValidationError('The document is empty')
  throw typeMismatchError(claim, content)
}

function fits(media_type: TextualType, content: SniffResult): boolean {
  if (isAudio(media_type)) return findAudioType(content) === media_type
  if (media_type === PDF) return content.pdf
  if (media_type === DOCX || media_type === XLSX) return content.format === media_type || content.office
  return content.text && content.format === undefined
}

function typeMismatchError({ words }: Claim, content: SniffResult): UnsupportedMediaType {
  const bytes = content.format ?? (content.text ? 'text' : 'binary data')
  return new UnsupportedMediaType(`The document is ${words}, but its bytes are ${bytes}`)
}

/** The type of the bytes, for a document that is not said to have a readable type. */
function recognise(content: SniffResult, claim: Claim, { fileName = '' }: DocumentFile): string {
  const { format } = content
  const { other } = claim
  if (other?.startsWith('image/') && !format?.startsWith('image/')) throw typeMismatchError(claim, content)
  if (format === PDF || format === DOCX || format === XLSX) return format
  const audio = findAudioType(content)
  if (audio) return audio
  if (format === COMPOUND_FILE) return typeOfCompoundFile(fileName, other)
  if (format !== undefined && isStored(format)) return format
  if (other !== undefined || !content.text || format !== undefined) throw unsupportedTypeError(other ?? format)
  if (content.email) return EML
  return content.html ? 'text/html' : 'text/plain'
}

/** The type of a container may include its codec. */
const findAudioType = ({ format }: SniffResult) => audioNamed(format?.split(';')[0] ?? '')

const unsupportedTypeError = (type = 'this type') =>
  new UnsupportedMediaType(
    `Documents of ${clip(type)} are not supported; text is read from ${READABLE}, and ${STORED} are stored without text`,
  )

async function textCharset(bytes: Uint8Array, media_type: string, declared?: string): Promise<string> {
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
