import { findAudioFormat, AUDIO_MEDIA_TYPES } from '../../domain/speech/audio.ts'

export const PDF = 'application/pdf'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Types that our own code and JavaScript alone read, in linear time. */
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/csv', 'application/json'] as const
export type TextType = (typeof TEXT_TYPES)[number]

/** Types of documents that can be extracted. */
const MEDIA_TYPES = [...TEXT_TYPES, 'text/html', PDF, DOCX] as const

export type ReadType = (typeof MEDIA_TYPES)[number]
/** Audio is transcribed. */
export type AudioType = `audio/${string}`
export type MediaType = ReadType | AudioType

const MAX_SMALL_BYTES = 1_048_576

/** Returns the type of a document that is read when it is ingested, within some tenths of a second. */
export const findSmallTextType = (media_type: string, bytes: number): TextType | undefined =>
  bytes <= MAX_SMALL_BYTES ? TEXT_TYPES.find(type => type === media_type) : undefined

/** The readable types, as named in messages. */
export const READABLE = 'plain text, Markdown, HTML, CSV, JSON, PDF, DOCX and audio'

/** Types that clients declare when they do not know the type. */
const UNSPECIFIC = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-download'])

const OTHER_NAMES: Record<string, MediaType> = {
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

const EXTENSIONS: Record<string, MediaType> = {
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
  ...AUDIO_MEDIA_TYPES,
  oga: AUDIO_MEDIA_TYPES.ogg,
  opus: AUDIO_MEDIA_TYPES.ogg,
  '3gp': AUDIO_MEDIA_TYPES.m4a,
  awb: AUDIO_MEDIA_TYPES.amr,
  aif: AUDIO_MEDIA_TYPES.aiff,
  aifc: AUDIO_MEDIA_TYPES.aiff,
}

const known = (type: string): MediaType | undefined => MEDIA_TYPES.find(it => it === type)

export const isUnspecific = (type: string): boolean => UNSPECIFIC.has(type)

/** The type for a declared type in lower case without parameters. Unknown types of text are plain text. */
export function typeOfName(declared: string): MediaType | undefined {
  const found = known(declared) ?? OTHER_NAMES[declared] ?? audioNamed(declared)
  if (found) return found
  if (/^application\/[\w.-]+\+json$/.test(declared)) return 'application/json'
  return declared.startsWith('text/') && declared !== 'text/rtf' ? 'text/plain' : undefined
}

export function typeOfFileName(fileName: string): MediaType | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(fileName)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : EXTENSIONS[extension]
}

export const isText = (type: MediaType): boolean => type !== PDF && type !== DOCX && !isAudio(type)

export const isAudio = (type: string): type is AudioType => type.startsWith('audio/')

/** Returns the audio type for any of its names. Recorders in browsers declare audio as video. */
export function audioNamed(declared: string): AudioType | undefined {
  const format = findAudioFormat(declared)
  return format && AUDIO_MEDIA_TYPES[format]
}
