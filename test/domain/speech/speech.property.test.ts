import fc from 'fast-check'
import { findCut, exceedsPiece, type Packet, PIECES } from '../../../domain/speech/audio-split.ts'
import { type MeetingPiece, renderTranscript, mergeSegments, buildSegments } from '../../../domain/speech/meeting.ts'
import { joinPieces } from '../../../domain/speech/transcript.ts'

const packet: fc.Arbitrary<Packet> = fc.record({
  duration: fc.double({ min: 0.01, max: 8, noNaN: true }),
  size: fc.integer({ min: 0, max: 3_000_000 }),
  weight: fc.integer({ min: 0, max: 2_000 }),
})
const total = (packets: Packet[], field: 'duration' | 'size') => packets.reduce((sum, each) => sum + each[field], 0)
const both = (packets: Packet[]) => ({ duration: total(packets, 'duration'), size: total(packets, 'size') })

/** Cuts as the splitter does, once a piece is too large. */
function cutAll(packets: Packet[]): Packet[][] {
  const pieces: Packet[][] = []
  let held: Packet[] = []
  for (const next of packets) {
    held.push(next)
    while (exceedsPiece(both(held), PIECES) && held.length > 1) pieces.push(held.splice(0, findCut(held, PIECES)))
  }
  return held.length > 0 ? [...pieces, held] : pieces
}

describe('cuts', () => {
  test('every packet is in one piece, in order, and no piece is empty', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 200 }), packets => {
        const pieces = cutAll(packets)
        expect(pieces.flat()).toEqual(packets)
        expect(pieces.every(piece => piece.length > 0)).toBe(true)
      }),
    )
  })

  test('no piece is too long or too large, unless it is a single packet', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 200 }), packets => {
        for (const piece of cutAll(packets)) {
          if (piece.length === 1) continue
          expect(total(piece, 'duration')).toBeLessThanOrEqual(PIECES.longest + PIECES.rest)
          expect(total(piece, 'size')).toBeLessThanOrEqual(PIECES.bytes)
        }
      }),
    )
  })

  const packets = (weightAt: (second: number) => number): Packet[] =>
    Array.from({ length: 4_000 }, (_, i) => ({ duration: 0.02, size: 100, weight: weightAt(i * 0.02) }))

  test('a cut is made at a pause', () => {
    const quiet = packets(second => (second >= 41 && second < 41.6 ? 5 : 100))
    const length = total(quiet.slice(0, findCut(quiet, PIECES)), 'duration')
    expect(length).toBeGreaterThan(41.1)
    expect(length).toBeLessThan(41.5)
  })

  test('a piece without a pause is cut at the maximum length', () => {
    const even = packets(() => 100)
    expect(total(even.slice(0, findCut(even, PIECES)), 'duration')).toBeCloseTo(PIECES.longest, 1)
  })
})

const time = fc.integer({ min: 0, max: 10_000 }).map(ms => ms / 1_000)
const answered = fc.array(
  fc.record({
    duration: fc.integer({ min: 1, max: 60 }),
    answer: fc.record({
      text: fc.string(),
      segments: fc.array(
        fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b), text: 'x' })),
      ),
    }),
  }),
)

test('in joined pieces, times are within the whole, and no speech is lost', () => {
  fc.assert(
    fc.property(answered, given => {
      let start = 0
      const pieces = given.map((piece, ordinal) => {
        start += piece.duration
        return { ...piece, ordinal, start: start - piece.duration }
      })
      const { segments, duration_seconds } = joinPieces(pieces)
      expect(duration_seconds).toBe(start)
      expect(segments).toHaveLength(pieces.flatMap(({ answer }) => answer.segments).length)
      for (const { start, end } of segments) {
        expect(start).toBeLessThanOrEqual(end)
        expect(end).toBeLessThanOrEqual(duration_seconds)
      }
    }),
  )
})

test('the language of the whole is the language spoken longest', () => {
  const piece = (ordinal: number, language: string, text = 'x') => ({
    ordinal,
    start: ordinal * 10,
    duration: 10,
    answer: { text, language, segments: [] },
  })
  expect(joinPieces([piece(0, 'de'), piece(1, 'en'), piece(2, 'en')]).language).toBe('en')
  expect(joinPieces([piece(0, 'de'), piece(1, 'cy', ''), piece(2, 'cy', '')]).language).toBe('de')
})

const meetingPiece = (seq: number, more: Partial<MeetingPiece> = {}): MeetingPiece => ({
  seq,
  speaker: null,
  start: null,
  duration: 10,
  text: `piece ${seq}`,
  ...more,
})

describe('segments of a meeting', () => {
  const timesOf = (pieces: MeetingPiece[], isWhole = false) => buildSegments(pieces, isWhole).map(({ start }) => start)

  test('each one starts where the previous one ends', () => {
    expect(timesOf([0, 1, 2].map(seq => meetingPiece(seq)))).toEqual([0, 10, 20])
    expect(timesOf([1, 2].map(seq => meetingPiece(seq)))).toEqual([0, 10])
  })

  test('after a missing or pending segment, no time is known until the meeting is over', () => {
    expect(timesOf([meetingPiece(0), meetingPiece(2)])).toEqual([0, undefined])
    expect(timesOf([meetingPiece(0, { duration: null, text: null }), meetingPiece(1)])).toEqual([undefined])
    expect(timesOf([meetingPiece(3), meetingPiece(4)])).toEqual([undefined, undefined])
    expect(timesOf([meetingPiece(0), meetingPiece(2)], true)).toEqual([0, 10])
  })

  test("the sender's start time takes precedence, also for later segments", () => {
    expect(timesOf([meetingPiece(0), meetingPiece(5, { start: 60 }), meetingPiece(6)])).toEqual([0, 60, 70])
  })

  test('silence has no segment, but advances the time', () => {
    expect(timesOf([meetingPiece(0, { text: '' }), meetingPiece(1)])).toEqual([10])
  })

  test('are in seq order after each insertion', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 50 }))
    fc.assert(
      fc.property(numbers, numbers, (written, heard) => {
        const merged = mergeSegments(
          written.map(seq => ({ seq, text: 'written' })),
          heard.map(seq => ({ seq, text: 'heard' })),
        )
        expect(merged.map(({ seq }) => seq)).toEqual([...new Set([...written, ...heard])].sort((a, b) => a - b))
        expect(merged.filter(({ text }) => text === 'heard')).toHaveLength(heard.length)
      }),
    )
  })

  test('become one paragraph each in a document, whatever their text is', () => {
    const segments = [
      { seq: 0, text: 'Hello.\n\n# Not a heading', speaker: 'Ann\nBo', start: 3_725 },
      { seq: 1, text: 'And more.' },
    ]
    expect(renderTranscript(segments, text => text)).toBe('**[1:02:05] Ann Bo:** Hello. # Not a heading\n\nAnd more.\n')
  })
})
