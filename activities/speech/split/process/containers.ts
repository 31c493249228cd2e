import {
  type AudioCodec,
  FlacOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  type OutputFormat,
  WavOutputFormat,
} from 'mediabunny'
import type { PieceFormat } from '../../../../domain/speech/audio.ts'
import { AudioError } from '../../audio-error.ts'

export interface Container {
  format: PieceFormat
  create(): OutputFormat
}

const CONTAINERS: Container[] = [
  { format: 'mp3', create: () => new Mp3OutputFormat() },
  { format: 'm4a', create: () => new Mp4OutputFormat() },
  { format: 'flac', create: () => new FlacOutputFormat() },
  { format: 'wav', create: () => new WavOutputFormat() },
  { format: 'ogg', create: () => new OggOutputFormat() },
]
/** The format that speech services expect for a codec, although other containers could also contain the codec. */
const FORMAT_BY_CODEC: Partial<Record<AudioCodec, PieceFormat>> = {
  mp3: 'mp3',
  aac: 'm4a',
  flac: 'flac',
  opus: 'ogg',
  vorbis: 'ogg',
}

/** Returns the container for pieces with the given codec. Throws AudioError. */
export function selectContainer(codec: AudioCodec): Container {
  const expected = FORMAT_BY_CODEC[codec] ?? (codec.startsWith('pcm-') || codec.endsWith('law') ? 'wav' : undefined)
  const container = CONTAINERS.find(({ format }) => format === expected)
  if (container?.create().getSupportedAudioCodecs().includes(codec)) return container
  throw new AudioError('AUDIO_UNSUPPORTED', `The audio codec "${codec}" is not supported`)
}
