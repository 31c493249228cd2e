import { deflateRawSync } from 'node:zlib'
import { BufferTarget, EncodedAudioPacketSource, type EncodedPacket, Output } from 'mediabunny'
import { isPieceFormat, type PieceFormat } from '../../../../domain/speech/audio.ts'
import { findCut, exceedsPiece, type Packet } from '../../../../domain/speech/audio-split.ts'
import { AudioError } from '../../audio-error.ts'
import { type AudioSource, openSource } from './audio-source.ts'
import { type Container, selectContainer } from './containers.ts'
import type { CutJob, CutPiece } from './messages.ts'

/** A packet that does not belong to a piece yet. `start` is in seconds since the first packet. */
interface QueuedPacket extends Packet {
  packet: EncodedPacket
  start: number
}

export type EmitPiece = (piece: CutPiece, bytes?: Uint8Array) => void

/**
 * Splits audio into pieces of whole packets. Each piece is a file that a speech service accepts. The audio is decoded
 * only if no service accepts its codec. Audio in an accepted format that fits into one piece is unchanged. Throws
 * AudioError if the audio cannot be read or is too long.
 */
export async function cutAudio(bytes: Uint8Array<ArrayBuffer>, job: CutJob, emit: EmitPiece): Promise<void> {
  const { limits, format } = job
  const source = await openSource(bytes, format)
  const container = selectContainer(source.codec)
  const canStayWhole = isPieceFormat(format) && !source.isDecoded && bytes.byteLength <= limits.bytes
  let queue: QueuedPacket[] = []
  let all = { duration: 0, size: 0 }
  let pieces = 0

  async function cut(count: number): Promise<void> {
    const piece = queue.slice(0, count)
    queue = queue.slice(count)
    all = { duration: total(queue, 'duration'), size: total(queue, 'size') }
    emit(describePiece(piece, pieces++, container.format), await writeContainer(source, container, piece))
  }

  for await (const next of readPackets(source, job.maxSeconds)) {
    queue.push(next)
    all = { duration: all.duration + next.duration, size: all.size + next.size }
    while (exceedsPiece(all, limits) && queue.length > 1) await cut(findCut(queue, limits))
  }
  if (queue.length === 0) throw new AudioError('AUDIO_EMPTY', 'The file contains no audio track')
  if (pieces === 0 && canStayWhole) emit({ ...describePiece(queue, 0, format), whole: true })
  else await cut(queue.length)
}

/** Yields packets with continuous times. A timestamp that goes backwards is corrected, and a jump becomes a gap. */
async function* readPackets(source: AudioSource, maxSeconds: number): AsyncGenerator<QueuedPacket> {
  const isRaw = source.codec.startsWith('pcm-')
  let first: number | undefined
  let end = 0
  for await (const packet of source.packets()) {
    first ??= packet.timestamp
    const start = Math.max(end, packet.timestamp - first)
    const gap = start - end
    const duration = packet.duration + gap
    end = start + packet.duration
    if (end > maxSeconds) throw new AudioError('AUDIO_TOO_LONG', `The audio must be at most ${maxSeconds} seconds long`)
    yield { packet, start: start - gap, duration, size: packet.byteLength, weight: measureWeight(packet, isRaw) }
  }
}

/** Returns a packet's size, which distinguishes silence from speech. Raw samples are compressed first. */
const measureWeight = ({ data, byteLength }: EncodedPacket, isRaw: boolean): number =>
  isRaw ? deflateRawSync(data, { level: 1 }).byteLength : byteLength

function describePiece(packets: QueuedPacket[], ordinal: number, format: PieceFormat): CutPiece {
  return { ordinal, start: packets[0]?.start ?? 0, duration: total(packets, 'duration'), format }
}

async function writeContainer(
  { codec, decoderConfig }: AudioSource,
  container: Container,
  packets: QueuedPacket[],
): Promise<Uint8Array> {
  if (!decoderConfig) throw new AudioError('AUDIO_UNSUPPORTED', 'The audio does not contain its codec parameters')
  const target = new BufferTarget()
  const output = new Output({ format: container.create(), target })
  const writer = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(writer)
  await output.start()
  let at = 0
  for (const { packet, duration } of packets) {
    await writer.add(packet.clone({ timestamp: at }), at === 0 ? { decoderConfig } : undefined)
    at += duration
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

const total = (packets: Packet[], field: 'duration' | 'size'): number =>
  packets.reduce((sum, packet) => sum + packet[field], 0)
