import { pino } from 'pino'
import { createSplitter, type SplitPiece, type SplitterSettings } from '../../../activities/speech/split/splitter.ts'
import { type AudioFormat, PIECE_FORMATS } from '../../../domain/speech/audio.ts'
import {
  buildAiff,
  recording,
  recordingNamed,
  repeated,
  readSamples,
  measureSeam,
  SECONDS,
  readSound,
} from '../../support/speech/audio.ts'

const log = pino({ level: 'silent' })
/** Pieces of three to five seconds. */
const SHORT = { shortest: 3, longest: 5, rest: 1, bytes: 20_000_000 }
const never = new AbortController().signal

async function cut(
  format: AudioFormat,
  bytes: Uint8Array,
  settings: Partial<SplitterSettings> = {},
  signal = never,
): Promise<SplitPiece[]> {
  const splitter = createSplitter({ maxSeconds: 3_600, log, ...settings })
  return Array.fromAsync(splitter.split({ bytes, format }, signal))
}

describe.each(PIECE_FORMATS)('%s', format => {
  test('short audio stays unchanged', async () => {
    const bytes = recording(format)
    const [piece, ...more] = await cut(format, bytes)
    expect(more).toEqual([])
    expect(piece).toMatchObject({ ordinal: 0, start: 0, format })
    expect(piece?.duration).toBeCloseTo(SECONDS, 0)
    expect(Buffer.from(piece?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('longer audio is cut into separate files that cover all of it', async () => {
    const bytes = recording(format)
    const whole = await readSound(bytes)
    const pieces = await cut(format, bytes, { limits: SHORT })
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.map(({ ordinal }) => ordinal)).toEqual(pieces.map((_, i) => i))
    expect(measureSeam(pieces)).toBeLessThan(0.01)
    for (const [i, piece] of pieces.entries()) {
      const isLast = i === pieces.length - 1
      expect(piece.duration).toBeLessThanOrEqual(SHORT.longest + (isLast ? SHORT.rest : 0))
      expect(piece.duration).toBeGreaterThanOrEqual(isLast ? SHORT.rest - 0.3 : SHORT.shortest)
      const sound = await readSound(piece.bytes)
      expect(sound.codec).toBe(whole.codec)
      expect(sound.seconds).toBeCloseTo(piece.duration, 0)
    }
    const last = pieces.at(-1)
    expect((last?.start ?? 0) + (last?.duration ?? 0)).toBeCloseTo(whole.seconds, 1)
    const places = (all: SplitPiece[]) => all.map(({ start, duration }) => ({ start, duration }))
    expect(places(await cut(format, bytes, { limits: SHORT }))).toEqual(places(pieces))
  })

  test('truncated audio is cut as far as possible, or rejected as damaged or empty', async () => {
    const bytes = recording(format)
    const broken = bytes.subarray(0, Math.floor(bytes.length / 3))
    const outcome = await cut(format, broken).catch((error: unknown) => error)
    if (Array.isArray(outcome)) expect(outcome[0]).toMatchObject({ ordinal: 0, start: 0 })
    else expect(outcome).toMatchObject({ code: expect.stringMatching(/^AUDIO_(BROKEN|EMPTY)$/), retryable: false })
  })
})

describe('formats that speech services do not accept', () => {
  test.each([
    ['AAC', 'aac', 'jfk.aac', 'm4a', 'aac'],
    ['AMR, narrow band', 'amr', 'jfk.amr', 'wav', 'pcm-s16'],
    ['AMR, wide band', 'amr', 'jfk.awb', 'wav', 'pcm-s16'],
    ['AMR in 3GP', 'm4a', 'jfk.3gp', 'wav', 'pcm-s16'],
  ] as const)('are converted to accepted formats: %s', async (_, format, name, made, codec) => {
    const bytes = recordingNamed(name)
    const [whole, ...more] = await cut(format, bytes)
    expect([whole?.format, more]).toEqual([made, []])
    const sound = await readSound(whole?.bytes ?? bytes)
    expect(sound.codec).toBe(codec)
    expect(sound.seconds).toBeCloseTo(SECONDS, 0)

    const pieces = await cut(format, bytes, { limits: SHORT })
    expect(pieces.length).toBeGreaterThan(1)
    expect(measureSeam(pieces)).toBeLessThan(0.01)
    for (const piece of pieces) expect((await readSound(piece.bytes)).seconds).toBeCloseTo(piece.duration, 1)
    const outcome = await cut(format, bytes.subarray(0, bytes.length / 3)).catch((error: unknown) => error)
    if (!Array.isArray(outcome))
      expect(outcome).toMatchObject({ code: expect.stringMatching(/^AUDIO_(BROKEN|EMPTY)$/) })
  })

  const samples = readSamples(recording('wav')).subarray(0, 24_000)
  const reversed = (size: number) =>
    Buffer.concat(
      Array.from({ length: samples.length / size }, (_, i) => samples.subarray(i * size, (i + 1) * size).toReversed()),
    )

  test.each([
    ['pcm-s16', reversed(2), {}],
    ['pcm-s16', reversed(2), { channels: 2 }],
    ['pcm-s24', reversed(3), { bits: 24 }],
    ['pcm-s32', reversed(4), { bits: 32 }],
    ['pcm-u8', samples.map(byte => byte ^ 0x80), { bits: 8 }],
    ['pcm-u8', samples, { bits: 8, compression: 'raw ' }],
    ['pcm-s16', reversed(2), { compression: 'NONE' }],
    ['pcm-s16', samples, { compression: 'sowt' }],
    ['pcm-f32', reversed(4), { bits: 32, compression: 'fl32' }],
    ['ulaw', samples, { bits: 8, compression: 'ulaw' }],
  ])('AIFF keeps its samples, as %s (%#)', async (codec, bytes, form) => {
    const [piece] = await cut('aiff', buildAiff(bytes, form))
    expect(piece?.format).toBe('wav')
    expect((await readSound(piece?.bytes ?? bytes)).codec).toBe(codec)
    expect(readSamples(piece?.bytes ?? bytes).equals(samples)).toBe(true)
  })

  test.each([
    ['AUDIO_UNSUPPORTED', buildAiff(samples, { compression: 'ima4' })],
    ['AUDIO_EMPTY', buildAiff(Buffer.alloc(0))],
    ['AUDIO_BROKEN', buildAiff(samples).subarray(0, 30)],
    ['AUDIO_BROKEN', buildAiff(samples, { channels: 0 })],
  ])('AIFF without readable samples is rejected: %s', async (code, bytes) => {
    await expect(cut('aiff', bytes)).rejects.toMatchObject({ code, retryable: false })
  })
})

test('a file with a wrong declared format is rejected', async () => {
  await expect(cut('flac', recording('mp3'))).rejects.toMatchObject({ code: 'AUDIO_BROKEN', retryable: false })
})

test('audio above the maximum length is rejected', async () => {
  await expect(cut('ogg', recording('ogg'), { maxSeconds: 5 })).rejects.toMatchObject({
    code: 'AUDIO_TOO_LONG',
    message: 'The audio must be at most 5 seconds long',
  })
})

test('pieces are about a minute long, and the last piece is not too short', async () => {
  const lengths = async (times: number) =>
    (await cut('mp3', await repeated('mp3', times))).map(({ duration }) => Math.round(duration))
  expect(await lengths(6)).toEqual([67])
  expect(await lengths(8)).toEqual([60, 29])
})

test('audio with a high bit rate is cut by size', async () => {
  const limits = { shortest: 30, longest: 60, rest: 15, bytes: 50_000 }
  const pieces = await cut('wav', recording('wav'), { limits })
  expect(pieces.length).toBeGreaterThan(3)
  for (const { bytes } of pieces) expect(bytes.length).toBeLessThan(60_000)
  expect(measureSeam(pieces)).toBeLessThan(0.01)
})

test('cutting that takes too much time or memory is abandoned', async () => {
  const bytes = await repeated('ogg', 60)
  await expect(cut('ogg', bytes, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'AUDIO_TOO_COMPLEX' })
  await expect(cut('ogg', bytes, { memoryBytes: 30_000_000 })).rejects.toMatchObject({ code: 'AUDIO_TOO_COMPLEX' })
})

test('a cancel ends active or queued cutting, with the reason for the cancel', async () => {
  const stop = new AbortController()
  const splitter = createSplitter({ maxSeconds: 3_600, log, concurrency: 1 })
  const audio = { bytes: await repeated('ogg', 12), format: 'ogg' as const }
  const both = [1, 2].map(() => Array.fromAsync(splitter.split(audio, stop.signal)))
  const reason = new Error('cancelled')
  setTimeout(() => stop.abort(reason), 20)
  for (const outcome of await Promise.allSettled(both)) expect(outcome).toEqual({ status: 'rejected', reason })
})

test('a reader that stops early frees its place for the next reader', async () => {
  const splitter = createSplitter({ maxSeconds: 3_600, log, concurrency: 1 })
  const audio = { bytes: await repeated('ogg', 12), format: 'ogg' as const }
  for await (const { ordinal } of splitter.split(audio, never)) {
    expect(ordinal).toBe(0)
    break
  }
  expect((await Array.fromAsync(splitter.split(audio, never))).length).toBeGreaterThan(1)
})
