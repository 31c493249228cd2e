import { findAudioFormat, AUDIO_MEDIA_TYPES } from '../../domain/speech/audio.ts'

export const PDF = 'application/pdf'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const EML = 'message/rfc822'
export const ZIP = 'application/zip'
/** Encrypted Office documents, and all documents of old Office. */
export const COMPOUND_FILE = 'application/x-cfb'

/** Types that our own code and JavaScript alone read, in linear time. */
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/csv', 'application/json'] as const
export type TextType = (typeof TEXT_TYPES)[number]

/** Types of documents that can be extracted. */
const MEDIA_TYPES = [...TEXT_TYPES, 'text/html', PDF, DOCX, XLSX, EML] as const

export type ReadType = (typeof MEDIA_TYPES)[number]
/** Audio is transcribed. */
export type AudioType = `audio/${string}`
/** A type whose text is extracted. */
export type TextualType = ReadType | AudioType

const MAX_SMALL_BYTES = 1_048_576

/** Returns the type of a document that is read when it is ingested, within some tenths of a second. */
export const findSmallTextType = (media_type: string, bytes: number): TextType | undefined =>
  bytes <= MAX_SMALL_BYTES ? TEXT_TYPES.find(type => type === media_type) : undefined

/** The readable types, as named in messages. */
export const READABLE = 'plain text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, EML and audio'
/** The types that are stored without text, as named in messages. */
export const STORED = 'images, video, archives and other Office files'

const STORED_TYPES =
  /^(?:image|video)\/|^application\/(?:zip|gzip|rtf|msword|epub\+zip|postscript|x-(?:7z-compressed|bzip2|cfb|compress|lzip|rar-compressed|tar|xz|zstd)|zstd|vnd\.(?:rar|ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/

/** Returns true for a format of files that are stored without text. */
export const isStored = (format: string): boolean => STORED_TYPES.test(format)

/** Types in a compound file, by the extension of the name. */
const IN_COMPOUND_FILE: Record<string, string> = {
  doc: 'application/msword',
  msg: 'application/vnd.ms-outlook',
  ppt: 'application/vnd.ms-powerpoint',
  xls: 'application/vnd.ms-excel',
}

/** Returns the type of a compound file that its name or its declared type shows. */
export function typeOfCompoundFile(fileName: string, declared = ''): string {
  const named = IN_COMPOUND_FILE[extensionOf(fileName) ?? '']
  return named ?? Object.values(IN_COMPOUND_FILE).find(type => type === declared) ?? COMPOUND_FILE
}

/** Types that clients declare when they do not know the type. */
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

/** The type for a declared type in lower case without parameters. Unknown types of text are plain text. */
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

/** Returns true for a type that has a charset. */
export const isText = (type: string): boolean =>
  type === 'text/html' || TEXT_TYPES.some(candidate => candidate === type)

/** Returns true for a type whose text is extracted. Other documents are stored only. */
export const hasText = (type: string): boolean => findReadType(type) !== undefined || isAudio(type)

export const isAudio = (type: string): type is AudioType => type.startsWith('audio/')

/** Returns the audio type for any of its names. Recorders in browsers declare audio as video. */
export function audioNamed(declared: string): AudioType | undefined {
  const format = findAudioFormat(declared)
  return format && AUDIO_MEDIA_TYPES[format]
}
