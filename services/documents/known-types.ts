import { findAudioFormat, AUDIO_MEDIA_TYPES } from '../../domain/speech/audio.ts'

export const PDF = 'application/pdf'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const EML = 'message/rfc822'
export const ZIP = 'application/zip'
/** The type of encrypted Office documents and all documents in legacy Office formats. */
export const COMPOUND_FILE = 'application/x-cfb'

/** Types that our own code or pure JavaScript reads, in linear time. */
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/csv', 'application/json'] as const
export type TextType = (typeof TEXT_TYPES)[number]

/** Document types whose text can be extracted. */
const MEDIA_TYPES = [...TEXT_TYPES, 'text/html', PDF, DOCX, XLSX, EML] as const

export type ReadType = (typeof MEDIA_TYPES)[number]
/** Audio is transcribed. */
export type AudioType = `audio/${string}`
/** A type from which text is extracted. */
export type TextualType = ReadType | AudioType

const MAX_SMALL_BYTES = 1_048_576

/**
 * Returns the document's type if the document is small enough to be read during ingestion, within a few tenths of a
 * second.
 */
export const findSmallTextType = (media_type: string, bytes: number): TextType | undefined =>
  bytes <= MAX_SMALL_BYTES ? TEXT_TYPES.find(type => type === media_type) : undefined

/** The readable types, as listed in messages. */
export const READABLE = 'plain text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, EML and audio'
/** The types that are stored without text, as listed in messages. */
export const STORED = 'images, video, archives and other Office files'

const STORED_TYPES =
  /^(?:image|video)\/|^application\/(?:zip|gzip|rtf|msword|epub\+zip|postscript|x-(?:7z-compressed|bzip2|cfb|compress|lzip|rar-compressed|tar|xz|zstd)|zstd|vnd\.(?:rar|ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/

/** Returns true for file formats that are stored without text. */
export const isStored = (format: string): boolean => STORED_TYPES.test(format)

/** Types stored in a compound file, by file extension. */
const IN_COMPOUND_FILE: Record<string, string> = {
  doc: 'application/msword',
  msg: 'application/vnd.ms-outlook',
  ppt: 'application/vnd.ms-powerpoint',
  xls: 'application/vnd.ms-excel',
}

/** Determines a compound file's type from its name or declared type. */
export function typeOfCompoundFile(fileName: string, declared = ''): string {
  const named = IN_COMPOUND_FILE[extensionOf(fileName) ?? '']
  return named ?? Object.values(IN_COMPOUND_FILE).find(type => type === declared) ?? COMPOUND_FILE
}

/** Types that clients declare when they do not know the actual type. */
const UNSPECIFIC = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-download'])

const OTHER_NAMES: Record<string, TextualType> = {
  'text/x-markdown': 'text/markdown',
  'application/xhtml+xml': 'text/html',
  'application/csv': 'text/csv',
  'text/x-csv': 'text/csv',
  'text/tab-separated-values': 'text/csv',
  'text/json': 'application/json',
  'application/x-ndjson': 'application/json',
  'application/jsonl': 'application/json',
  'application/x-pdf': PDF,
}

const EXTENSIONS: Record<string, TextualType> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  csv: 'text/csv',
  tsv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/json',
  ndjson: 'application/json',
  pdf: PDF,
  docx: DOCX,
  xlsx: XLSX,
  xlsm: XLSX,
  eml: EML,
  ...AUDIO_MEDIA_TYPES,
  oga: AUDIO_MEDIA_TYPES.ogg,
  opus: AUDIO_MEDIA_TYPES.ogg,
  '3gp': AUDIO_MEDIA_TYPES.m4a,
  awb: AUDIO_MEDIA_TYPES.amr,
  aif: AUDIO_MEDIA_TYPES.aiff,
  aifc: AUDIO_MEDIA_TYPES.aiff,
}

const findReadType = (type: string): ReadType | undefined => MEDIA_TYPES.find(candidate => candidate === type)

export const isUnspecific = (type: string): boolean => UNSPECIFIC.has(type)

/**
 * Returns the supported type for a declared type, which must be in lowercase and have no parameters. Unknown text
 * types count as plain text.
 */
export function typeOfName(declared: string): TextualType | undefined {
  const match = findReadType(declared) ?? OTHER_NAMES[declared] ?? audioNamed(declared)
  if (match) return match
  if (/^application\/[\w.-]+\+json$/.test(declared)) return 'application/json'
  return declared.startsWith('text/') && declared !== 'text/rtf' ? 'text/plain' : undefined
}

export function typeOfFileName(fileName: string): TextualType | undefined {
  const extension = extensionOf(fileName)
  return extension === undefined ? undefined : EXTENSIONS[extension]
}

const extensionOf = (fileName: string): string | undefined => /\.([a-z0-9]{1,10})$/i.exec(fileName)?.[1]?.toLowerCase()

/** Returns true for a type that can have a charset. */
export const isText = (type: string): boolean =>
  type === 'text/html' || TEXT_TYPES.some(candidate => candidate === type)

/** Returns true for types from which text is extracted. Other documents are only stored. */
export const hasText = (type: string): boolean => findReadType(type) !== undefined || isAudio(type)

export const isAudio = (type: string): type is AudioType => type.startsWith('audio/')

/** Returns the canonical audio type for any of its aliases. Browser recorders declare audio as video. */
export function audioNamed(declared: string): AudioType | undefined {
  const format = findAudioFormat(declared)
  return format && AUDIO_MEDIA_TYPES[format]
}
