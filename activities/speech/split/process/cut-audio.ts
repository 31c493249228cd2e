import { deflateRawSync } from 'node:zlib'
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
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
  Output,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { AudioFormat } from '../../../../domain/speech/audio.ts'
import { findCut, exceedsPiece, type Packet } from '../../../../domain/speech/audio-split.ts'
import { AudioError } from '../../audio-error.ts'
import { type Container, selectContainer } from './containers.ts'
import type { CutJob, CutPiece } from './messages.ts'

const FORMATS: Record<AudioFormat, InputFormat[]> = {
  wav: [WAVE],
  mp3: [MP3],
  m4a: [MP4, QTFF],
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  flac: [FLAC],
}

/** A packet that is not in a piece yet. `start` is in seconds since the first packet. */
interface QueuedPacket extends Packet {
  packet: EncodedPacket
  start: number
}

export type EmitPiece = (piece: CutPiece, bytes?: Uint8Array) => void

/**
 * Cuts an audio into pieces of whole packets, each a file, without decoding. An audio that fits into one piece stays
 * unchanged. Throws AudioError when the audio cannot be read or is too long.
 */
export async function cutAudio(bytes: Uint8Array<ArrayBuffer>, job: CutJob, emit: EmitPiece): Promise<void> {
  const { limits } = job
  const input = new Input({ formats: FORMATS[job.format], source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new AudioError('AUDIO_EMPTY', 'The file has no audio track')
  const container = selectContainer(await track.getCodec())
  let queue: QueuedPacket[] = []
  let all = { duration: 0, size: 0 }
  let pieces = 0

  async function cut(count: number): Promise<void> {
    const piece = queue.slice(0, count)
    queue = queue.slice(count)
    all = { duration: total(queue, 'duration'), size: total(queue, 'size') }
    emit(
      describePiece(piece, pieces++, container.format),
      await writeContainer(track as InputAudioTrack, container, piece),
    )
  }

  for await (const next of readPackets(track, job.maxSeconds)) {
    queue.push(next)
    all = { duration: all.duration + next.duration, size: all.size + next.size }
    while (exceedsPiece(all, limits) && queue.length > 1) await cut(findCut(queue, limits))
  }
  if (queue.length === 0) throw new AudioError('AUDIO_EMPTY', 'The file has no audio track')
  if (pieces === 0 && bytes.byteLength <= limits.bytes) emit({ ...describePiece(queue, 0, job.format), whole: true })
  else await cut(queue.length)
}

/** Yields packets with continuous times. A timestamp that goes back is corrected, and a jump becomes a gap. */
async function* readPackets(track: InputAudioTrack, maxSeconds: number): AsyncGenerator<QueuedPacket> {
  const isRaw = (await track.getCodec())?.startsWith('pcm-') ?? false
  let first: number | undefined
  let end = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    first ??= packet.timestamp
    const start = Math.max(end, packet.timestamp - first)
    const gap = start - end
    const duration = packet.duration + gap
    end = start + packet.duration
    if (end > maxSeconds) throw new AudioError('AUDIO_TOO_LONG', `The audio must be at most ${maxSeconds} seconds long`)
    yield { packet, start: start - gap, duration, size: packet.byteLength, weight: measureWeight(packet, isRaw) }
  }
}

/** Returns the size of a packet, which separates silence from speech. Raw samples are compressed first. */
const measureWeight = ({ data, byteLength }: EncodedPacket, isRaw: boolean): number =>
  isRaw ? deflateRawSync(data, { level: 1 }).byteLength : byteLength

function describePiece(packets: QueuedPacket[], ordinal: number, format: AudioFormat): CutPiece {
  return { ordinal, start: packets[0]?.start ?? 0, duration: total(packets, 'duration'), format }
}

async function writeContainer(
  track: InputAudioTrack,
  container: Container,
  packets: QueuedPacket[],
): Promise<Uint8Array> {
  const [codec, decoderConfig] = await Promise.all([track.getCodec(), track.getDecoderConfig()])
  if (!codec || !decoderConfig) throw new AudioError('AUDIO_UNSUPPORTED', 'The audio lacks the parameters of its codec')
  const target = new BufferTarget()
  const output = new Output({ format: container.create(), target })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  await output.start()
  let at = 0
  for (const { packet, duration } of packets) {
    await source.add(packet.clone({ timestamp: at }), at === 0 ? { decoderConfig } : undefined)
    at += duration
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

const total = (packets: Packet[], field: 'duration' | 'size'): number =>
  packets.reduce((sum, packet) => sum + packet[field], 0)
