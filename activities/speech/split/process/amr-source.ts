import { decoder as createDecoder } from '@audio/decode-amr'
import { EncodedPacket } from 'mediabunny'
import { AudioError } from '../../audio-error.ts'
import type { AudioSource } from './audio-source.ts'

/** Number of bytes to decode at once, which is at most a few seconds of sound. */
const SLICE_BYTES = 8_192
/** Narrowband and wideband. */
const SAMPLE_RATES = new Set([8_000, 16_000])
const PACKETS_PER_SECOND = 20

type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
type DecodedAudio = AsyncGenerator<{ samples: Float32Array; sampleRate: number }>

/** Opens an AMR file, which is received in parts, as decoded 16-bit samples. Throws AudioError. */
export async function openAmr(parts: Parts): Promise<AudioSource> {
  const decoded = decode(parts)
  const first = await decoded.next()
  if (first.done) throw new AudioError('AUDIO_EMPTY', 'The file contains no sound')
  const { sampleRate } = first.value

  async function* packets(): AsyncGenerator<EncodedPacket> {
    let at = 0
    for (let next = first; !next.done; next = await decoded.next())
      for (const packet of splitSamples(next.value.samples, sampleRate / PACKETS_PER_SECOND)) {
        const bytes = new Uint8Array(packet.buffer)
        yield new EncodedPacket(bytes, 'key', at / sampleRate, packet.length / sampleRate)
        at += packet.length
      }
  }

  const codec = 'pcm-s16'
  return { codec, decoderConfig: { codec, sampleRate, numberOfChannels: 1 }, isDecoded: true, packets }
}

async function* decode(parts: Parts): DecodedAudio {
  const decoder = await createDecoder()
  for await (const part of parts)
    for (let at = 0; at < part.byteLength; at += SLICE_BYTES) {
      const { channelData, sampleRate } = decoder.decode(part.subarray(at, at + SLICE_BYTES))
      const [samples] = channelData
      if (samples && SAMPLE_RATES.has(sampleRate)) yield { samples, sampleRate }
    }
}

/** Yields samples between -1 and 1 as 16-bit integers. */
function* splitSamples(samples: Float32Array, size: number): Generator<Int16Array<ArrayBuffer>> {
  for (let from = 0; from < samples.length; from += size)
    yield Int16Array.from(samples.subarray(from, from + size), sample =>
      Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
    )
}
