/** Audio that is to be written down, as a job's input names it: the bytes are in the store of contents. */
export interface AudioRef {
  sha256: string
  /** Bytes. */
  size: number
  format: AudioFormat
}

export const AUDIO_FORMATS = ['wav', 'mp3', 'm4a', 'webm', 'ogg', 'flac'] as const
export type AudioFormat = (typeof AUDIO_FORMATS)[number]

/** For messages. */
export const READABLE_AUDIO = 'WAV, MP3, M4A, WebM, Ogg and FLAC'

/** As they are sent on; the name of a file says the same by its ending. */
export const AUDIO_MEDIA_TYPES: Record<AudioFormat, `audio/${string}`> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
}

/** How senders call them; recorders of browsers call a sound a video that has no picture. */
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
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'video/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
}

/** By a media type without parameters, in lower case; undefined for what is no audio that can be read. */
export const findAudioFormat = (type: string): AudioFormat | undefined =>
  Object.hasOwn(NAMES, type) ? NAMES[type] : undefined
