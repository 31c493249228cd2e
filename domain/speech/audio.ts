import { z } from 'zod'

/** Reference to audio in a job's input. The bytes are in the content store. */
export interface AudioRef {
  sha256: string
  /** Bytes. */
  size: number
  format: AudioFormat
  /** Spoken language (ISO 639-1), if known. */
  language?: string
}

/** Formats that speech services accept. */
export const PIECE_FORMATS = ['wav', 'mp3', 'm4a', 'webm', 'ogg', 'flac'] as const
export type PieceFormat = (typeof PIECE_FORMATS)[number]

/** Formats that clients can send. Formats that no speech service accepts are repackaged or decoded. */
export const AUDIO_FORMATS = [...PIECE_FORMATS, 'aac', 'amr', 'aiff'] as const
export type AudioFormat = (typeof AUDIO_FORMATS)[number]

/** Format names in messages. */
export const READABLE_AUDIO = 'WAV, MP3, M4A, WebM, Ogg, FLAC, AAC, AMR, 3GP and AIFF'

/** Media types of the formats. File names get the matching extension. */
export const AUDIO_MEDIA_TYPES: Record<AudioFormat, `audio/${string}`> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  amr: 'audio/amr',
  aiff: 'audio/aiff',
}

/** Formats by the media types that clients send. Some recorders use video types for audio only. */
const NAMES: Record<string, AudioFormat> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/x-mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'video/mp4': 'm4a',
  'audio/3gpp': 'm4a',
  'audio/3gpp2': 'm4a',
  'video/3gpp': 'm4a',
  'video/3gpp2': 'm4a',
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'video/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/aac': 'aac',
  'audio/aacp': 'aac',
  'audio/x-aac': 'aac',
  'audio/amr': 'amr',
  'audio/amr-nb': 'amr',
  'audio/amr-wb': 'amr',
  'audio/x-amr': 'amr',
  'audio/aiff': 'aiff',
  'audio/x-aiff': 'aiff',
}

/** Finds a format by a lower-case media type without parameters. Returns undefined for other media types. */
export const findAudioFormat = (type: string): AudioFormat | undefined =>
  Object.hasOwn(NAMES, type) ? NAMES[type] : undefined

/** Returns whether speech services accept the format directly. */
export const isPieceFormat = (format: AudioFormat): format is PieceFormat =>
  PIECE_FORMATS.some(piece => piece === format)

/** Spoken language in requests. */
export const spokenLanguage = z
  .string()
  .regex(/^[a-z]{2}$/, 'must be a two-letter language code (ISO 639-1), such as en')
  .optional()
