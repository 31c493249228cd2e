import {
  ADTS,
  type AudioCodec,
  BufferSource,
  type EncodedPacket,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { AudioFormat } from '../../../../domain/speech/audio.ts'
import { AudioError } from '../../audio-error.ts'
import { openAiff } from './aiff-source.ts'
import { openAmr } from './amr-source.ts'

/** Audio as packets of a single codec. */
export interface AudioSource {
  codec: AudioCodec
  /** Null if the file does not contain the configuration. The packets then cannot be written to another file. */
  decoderConfig: AudioDecoderConfig | null
  /** True if the packets differ from those in the received file. */
  isDecoded: boolean
  packets(): AsyncIterable<EncodedPacket>
}

type Bytes = Uint8Array<ArrayBuffer>

const CONTAINERS: Record<Exclude<AudioFormat, 'amr' | 'aiff'>, InputFormat[]> = {
  wav: [WAVE],
  mp3: [MP3],
  m4a: [MP4, QTFF],
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  flac: [FLAC],
  aac: [ADTS],
}

/** The first bytes of an AMR file, by codec name in 3GP files. */
const AMR_HEADERS: Record<string, string> = { samr: '#!AMR\n', sawb: '#!AMR-WB\n' }

/** Opens audio. Throws AudioError, and the libraries' own errors for damaged files. */
export async function openSource(bytes: Bytes, format: AudioFormat): Promise<AudioSource> {
  if (format === 'amr') return openAmr([bytes])
  if (format === 'aiff') return openAiff(bytes)
  const input = new Input({ formats: CONTAINERS[format], source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new AudioError('AUDIO_EMPTY', 'The file contains no audio track')
  const amrHeader = AMR_HEADERS[String(await track.getInternalCodecId())]
  return amrHeader === undefined ? openTrack(track) : openAmr(joinFrames(amrHeader, track))
}

async function openTrack(track: InputAudioTrack): Promise<AudioSource> {
  const [codec, decoderConfig] = await Promise.all([track.getCodec(), track.getDecoderConfig()])
  if (!codec) throw new AudioError('AUDIO_UNSUPPORTED', 'The audio codec is not supported')
  return { codec, decoderConfig, isDecoded: false, packets: () => new EncodedPacketSink(track).packets() }
}

/** Yields the bytes of an AMR file that contains the track's frames. */
async function* joinFrames(header: string, track: InputAudioTrack): AsyncGenerator<Uint8Array> {
  yield Buffer.from(header)
  for await (const { data } of new EncodedPacketSink(track).packets()) yield data
}
