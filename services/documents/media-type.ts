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
  /** A `Content-Type` value, with or without a charset. */
  declared?: string
  fileName?: string
}

export interface DocumentType {
  media_type: string
  /** The standard charset name of the text. */
  charset?: string
  /** Whether the type was taken from the declared type or file name, and whether the charset was declared. */
  claimed: { media_type: boolean; charset: boolean }
}

interface Claim {
  /** The readable type that the document claims to have. */
  media_type?: TextualType
  /** A declared type that Ganglion cannot read. */
  other?: string
  charset?: string
  /** The declared type or file name, as quoted in messages. */
  words: string
}

const MAX_SHOWN_CHARS = 100
/** HTML charset declarations must appear within this number of bytes. */
const HTML_HEAD_BYTES = 1_024
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i

/**
 * Detects a file's type from its declared type, name and bytes. The bytes take precedence. Throws
 * UnsupportedMediaType if the type is unknown or contradicts the declared type, and ValidationError for text that is
 * not valid in its charset.
 */
export async function detectMediaType(file: DocumentFile): Promise<DocumentType> {
  const claim = parseClaim(file)
  const content = await sniff(file.bytes, claim.charset)
  const media_type = claim.media_type ? confirm(claim.media_type, content, claim) : recognize(content, claim, file)
  const claimed = {
    media_type: claim.media_type !== undefined || claim.other !== undefined,
    charset: claim.charset !== undefined,
  }
  if (!isText(media_type)) return { media_type, claimed }
  return { media_type, charset: await textCharset(file.bytes, media_type, claim.charset), claimed }
}

/** Incorrect types that clients declare, by the type that the file name indicates. */
const MISNAMED: Record<string, TextualType[]> = {
  // Browsers declare CSV as Excel if a spreadsheet program is installed.
  'application/vnd.ms-excel': ['text/csv', XLSX],
  // Many clients do not recognize Markdown or email.
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
  return new UnsupportedMediaType(`The document is ${words}, but its content is ${bytes}`)
}

/** Returns the type detected from the bytes if the document does not claim a readable type. */
function recognize(content: SniffResult, claim: Claim, { fileName = '' }: DocumentFile): string {
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

/** A container's media type may include the codec. */
const findAudioType = ({ format }: SniffResult) => audioNamed(format?.split(';')[0] ?? '')

const unsupportedTypeError = (type = 'this type') =>
  new UnsupportedMediaType(
    `Documents of ${clip(type)} are not supported. Text is extracted from ${READABLE}; ${STORED} are stored without text`,
  )

async function textCharset(bytes: Uint8Array, media_type: string, declared?: string): Promise<string> {
  const charset = charsetOfMark(bytes) ?? declared ?? (media_type === 'text/html' ? htmlCharset(bytes) : 'utf-8')
  if (await isValidIn(bytes, charset)) return charset
  const advice = declared ? '' : '; declare its charset, for example "text/plain; charset=windows-1252"'
  throw new ValidationError(`The text is not valid ${charset.toUpperCase()}${advice}`)
}

function htmlCharset(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HTML_HEAD_BYTES)).toString('latin1')
  const charset = standardCharset(META_CHARSET.exec(head)?.[1] ?? 'utf-8') ?? 'utf-8'
  // If the start of the text is readable as ASCII, the text is not UTF-16, so ignore that declaration.
  return charset.startsWith('utf-16') ? 'utf-8' : charset
}

const clip = (text: string): string => (text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
