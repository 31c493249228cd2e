import { type AudioCodec, EncodedPacket } from 'mediabunny'
import { AudioError, brokenAudioError } from '../../audio-error.ts'
import type { AudioSource } from './audio-source.ts'

/** Describes how AIFF samples are converted to WAV samples: the codec, and the in-place conversion of the bytes. */
interface Conversion {
  codec: AudioCodec
  bytesPerSample: number
  convert: (samples: Buffer) => Buffer
}

const keep = (samples: Buffer) => samples
const conversion = (codec: AudioCodec, bytesPerSample: number, convert = keep) => ({ codec, bytesPerSample, convert })

/** Conversions by compression and bytes per sample. Plain AIFF has big-endian samples. */
const CONVERSIONS: Record<string, Conversion> = {
  NONE1: conversion('pcm-u8', 1, toUnsigned),
  NONE2: conversion('pcm-s16', 2, samples => samples.swap16()),
  NONE3: conversion('pcm-s24', 3, swap24),
  NONE4: conversion('pcm-s32', 4, samples => samples.swap32()),
  sowt2: conversion('pcm-s16', 2),
  sowt3: conversion('pcm-s24', 3),
  sowt4: conversion('pcm-s32', 4),
  raw1: conversion('pcm-u8', 1),
  fl324: conversion('pcm-f32', 4, samples => samples.swap32()),
  alaw: conversion('alaw', 1),
  ulaw: conversion('ulaw', 1),
}

const PACKETS_PER_SECOND = 20
const RATES = { least: 1_000, most: 384_000 }
const MAX_CHANNELS = 32

/** Opens an AIFF or AIFF-C file. The samples are only reordered. Throws AudioError. */
export function openAiff(bytes: Uint8Array): AudioSource {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { COMM: common, SSND: sound } = readChunks(file)
  if (!common || common.length < 18 || !sound || sound.length < 8) throw brokenAudioError()
  const numberOfChannels = common.readUInt16BE(0)
  const sampleRate = readExtended(common, 8)
  if (numberOfChannels < 1 || numberOfChannels > MAX_CHANNELS) throw brokenAudioError()
  if (!Number.isInteger(sampleRate) || sampleRate < RATES.least || sampleRate > RATES.most) throw brokenAudioError()
  const { codec, bytesPerSample, convert } = findConversion(common, file.toString('latin1', 8, 12) === 'AIFC')
  const bytesPerFrame = bytesPerSample * numberOfChannels
  const step = bytesPerFrame * Math.ceil(sampleRate / PACKETS_PER_SECOND)

  async function* packets(): AsyncGenerator<EncodedPacket> {
    const start = Math.min(sound?.length ?? 0, 8 + (sound?.readUInt32BE(0) ?? 0))
    const samples = sound?.subarray(start) ?? file.subarray(0, 0)
    const end = samples.length - (samples.length % bytesPerFrame)
    const toSeconds = (size: number) => size / bytesPerFrame / sampleRate
    for (let at = 0; at < end; at += step) {
      const packet = convert(Buffer.from(samples.subarray(at, Math.min(end, at + step))))
      yield new EncodedPacket(packet, 'key', toSeconds(at), toSeconds(packet.length))
    }
  }

  return { codec, decoderConfig: { codec, sampleRate, numberOfChannels }, isDecoded: true, packets }
}

/** Returns the chunks by name. A truncated chunk ends at the end of the file. */
function readChunks(file: Buffer): Record<string, Buffer | undefined> {
  const chunks: Record<string, Buffer> = {}
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32BE(at + 4)
    chunks[file.toString('latin1', at, at + 4)] ??= file.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
  }
  return chunks
}

function findConversion(common: Buffer, isCompressed: boolean): Conversion {
  const name = isCompressed ? common.toString('latin1', 18, 22).trim() : 'NONE'
  const compression = { twos: 'NONE', FL32: 'fl32', ALAW: 'alaw', ULAW: 'ulaw' }[name] ?? name
  const bytesPerSample = Math.ceil(common.readUInt16BE(6) / 8)
  const match = CONVERSIONS[compression] ?? CONVERSIONS[`${compression}${bytesPerSample}`]
  if (match) return match
  const message = `AIFF with ${bytesPerSample * 8} bits per sample and compression "${name}" is not supported`
  throw new AudioError('AUDIO_UNSUPPORTED', message)
}

/** Reads a positive 80-bit number (IEEE 754 extended precision) with 32 bits of precision. */
const readExtended = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at + 2) * 2 ** ((bytes.readUInt16BE(at) & 0x7fff) - 16_383 - 31)

function toUnsigned(samples: Buffer): Buffer {
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] ?? 0) ^ 0x80
  return samples
}

function swap24(samples: Buffer): Buffer {
  for (let i = 0; i + 2 < samples.length; i += 3) {
    const first = samples[i] ?? 0
    samples[i] = samples[i + 2] ?? 0
    samples[i + 2] = first
  }
  return samples
}
