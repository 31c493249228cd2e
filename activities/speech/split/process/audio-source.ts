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

/** Audio as packets of one codec. */
export interface AudioSource {
  codec: AudioCodec
  /** Null when the file lacks them. Without them no other file can be made of its packets. */
  decoderConfig: AudioDecoderConfig | null
  /** True when the packets differ from those of the received file. */
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

/** First bytes of a file of AMR, by the codecs that 3GP files name. */
const AMR_HEADERS: Record<string, string> = { samr: '#!AMR\n', sawb: '#!AMR-WB\n' }

/** Opens an audio. Throws AudioError, and what the libraries throw for damaged files. */
export async function openSource(bytes: Bytes, format: AudioFormat): Promise<AudioSource> {
  if (format === 'amr') return openAmr([bytes])
  if (format === 'aiff') return openAiff(bytes)
  const input = new Input({ formats: CONTAINERS[format], source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new AudioError('AUDIO_EMPTY', 'The file has no audio track')
  const amrHeader = AMR_HEADERS[String(await track.getInternalCodecId())]
  return amrHeader === undefined ? openTrack(track) : openAmr(joinFrames(amrHeader, track))
}

async function openTrack(track: InputAudioTrack): Promise<AudioSource> {
  const [codec, decoderConfig] = await Promise.all([track.getCodec(), track.getDecoderConfig()])
  if (!codec) throw new AudioError('AUDIO_UNSUPPORTED', 'The codec of the audio is not supported')
  return { codec, decoderConfig, isDecoded: false, packets: () => new EncodedPacketSink(track).packets() }
}

/** Yields the bytes of an AMR file with the frames of a track. */
async function* joinFrames(header: string, track: InputAudioTrack): AsyncGenerator<Uint8Array> {
  yield Buffer.from(header)
  for await (const { data } of new EncodedPacketSink(track).packets()) yield data
}
