import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FlacOutputFormat,
  Input,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import { type AudioFormat, AUDIO_MEDIA_TYPES, type PieceFormat } from '../../../domain/speech/audio.ts'
import type { AudioPiece } from '../../../domain/speech/transcript.ts'

/** The words in the recording. See audio/README.md. */
export const SAID = /ask not what your country can do for you,? ask what you can do for your country/i
export const SECONDS = 11

export const recording = (format: AudioFormat): Buffer<ArrayBuffer> =>
  format === 'aiff' ? buildAiff(readSamples(recording('wav')).swap16()) : recordingNamed(`jfk.${format}`)

/** Reads a recording from this folder. */
export const recordingNamed = (name: string): Buffer<ArrayBuffer> =>
  Buffer.from(readFileSync(join(import.meta.dirname, 'audio', name)))

/** Returns a copy of the samples in a WAV file. */
export const readSamples = (wav: Uint8Array): Buffer<ArrayBuffer> =>
  Buffer.from(wav.subarray(Buffer.from(wav).indexOf('data') + 8))

/** Builds an AIFF file at 8 kHz with these samples, or an AIFF-C file if a compression is given. */
export function buildAiff(
  samples: Uint8Array,
  { bits = 16, channels = 1, compression = '' } = {},
): Buffer<ArrayBuffer> {
  const common = Buffer.alloc(18)
  common.writeUInt16BE(channels)
  common.writeUInt32BE(samples.length / Math.max(1, channels) / Math.ceil(bits / 8), 2)
  common.writeUInt16BE(bits, 6)
  common.set([0x40, 0x0b, 0xfa], 8)
  const chunk = (name: string, ...parts: Uint8Array[]) => {
    const body = Buffer.concat(parts)
    const head = Buffer.from(`${name}size`)
    head.writeUInt32BE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const kind = Buffer.from(compression ? 'AIFC' : 'AIFF')
  const chunks = [chunk('COMM', common, Buffer.from(compression)), chunk('SSND', Buffer.alloc(8), samples)]
  return chunk('FORM', kind, ...chunks, chunk('NAME', Buffer.from('a title after the samples')))
}

/** Returns the request body for the audio. */
export const audioBody = (format: AudioFormat, bytes: Uint8Array = recording(format)) => ({
  audio_base64: Buffer.from(bytes).toString('base64'),
  mime_type: AUDIO_MEDIA_TYPES[format],
})

const FILES: Record<PieceFormat, () => OutputFormat> = {
  wav: () => new WavOutputFormat(),
  mp3: () => new Mp3OutputFormat(),
  m4a: () => new Mp4OutputFormat(),
  webm: () => new WebMOutputFormat(),
  ogg: () => new OggOutputFormat(),
  flac: () => new FlacOutputFormat(),
}

async function opened(bytes: Uint8Array<ArrayBuffer>) {
  const track = await new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).getPrimaryAudioTrack()
  const codec = await track?.getCodec()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !codec || !decoderConfig) throw new Error('no audio')
  return { codec, decoderConfig, packets: () => new EncodedPacketSink(track).packets() }
}

/** Returns the recording, repeated this many times. */
export async function repeated(format: PieceFormat, times: number): Promise<Buffer<ArrayBuffer>> {
  const { codec, decoderConfig, packets } = await opened(recording(format))
  const target = new BufferTarget()
  const output = new Output({ format: FILES[format](), target })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  await output.start()
  let at = 0
  for (let time = 0; time < times; time++)
    for await (const packet of packets()) {
      await source.add(packet.clone({ timestamp: at }), { decoderConfig })
      at += packet.duration
    }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/**
 * Returns the recording, this many seconds of silence, and the recording again, as a WAV file with 16 bits at 8 kHz.
 */
export function saidTwice(silence: number): Buffer<ArrayBuffer> {
  const wav = recording('wav')
  const samples = wav.subarray(wav.indexOf('data') + 8)
  const data = Buffer.concat([samples, Buffer.alloc(silence * 16_000), samples])
  const header = Buffer.from(wav.subarray(0, wav.indexOf('data') + 8))
  header.writeUInt32LE(header.length - 8 + data.length, 4)
  header.writeUInt32LE(data.length, header.length - 4)
  return Buffer.concat([header, data])
}

/** Returns the duration of the audio in a file, and its codec. */
export async function readSound(bytes: Uint8Array): Promise<{ codec: string; seconds: number }> {
  const { codec, packets } = await opened(Uint8Array.from(bytes))
  let seconds = 0
  for await (const { duration } of packets()) seconds += duration
  return { codec, seconds }
}

/** Returns the largest gap or overlap between consecutive pieces, in seconds. */
export const measureSeam = (pieces: AudioPiece[]): number =>
  Math.max(0, ...pieces.map(({ start }, i) => Math.abs(start - ends(pieces.slice(0, i)))))

const ends = (pieces: AudioPiece[]): number => pieces.reduce((sum, { duration }) => sum + duration, 0)
