import fc from 'fast-check'
import { byteRange } from '../../api/routes/documents/byte-range.ts'

const bytes = fc.nat({ max: 40 })
const size = fc.nat({ max: 30 })

/** Applies RFC 9110 to each byte position. */
const asked = (length: number, wanted: (at: number) => boolean) => Array.from({ length }, (_, at) => at).filter(wanted)

const given = (header: string, length: number): number[] | undefined => {
  const range = byteRange(header, length)
  if (range === 'unsatisfiable') return []
  return range && asked(length, at => at >= range.from && at <= range.to)
}

test('a range returns exactly its bytes', () => {
  fc.assert(
    fc.property(size, bytes, bytes, (length, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      expect(given(`bytes=${from}-${to}`, length)).toEqual(asked(length, at => at >= from && at <= to))
      expect(given(`bytes=${from}-`, length)).toEqual(asked(length, at => at >= from))
      expect(given(`bytes=-${a}`, length)).toEqual(asked(length, at => at >= length - a))
    }),
  )
})

test('anything other than a single valid range returns all bytes', () => {
  for (const header of [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=2-1',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=1.5-2',
    'x',
  ])
    expect([header, byteRange(header, 10)]).toEqual([header, undefined])
})
