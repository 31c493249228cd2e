import * as fc from 'fast-check'
import { toSlug, slugProblem } from '../../../domain/shared/text/slug.ts'
import { precedingId, compareIds, parseAfter, parseStreamId, formatStreamId } from '../../../domain/shared/stream-id.ts'

describe('a slug', () => {
  test.each([
    ['Größe & Preis!', 'grosse-preis'],
    ['  Rechnung   Nr. 7 ', 'rechnung-nr-7'],
    ['日本', ''],
    ['--', ''],
    [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
  ])('of "%s" is "%s"', (title, slug) => expect(toSlug(title)).toBe(slug))

  test('of any title is valid or empty', () => {
    const slugs = fc.property(fc.string({ unit: 'grapheme' }), title => {
      const slug = toSlug(title)
      if (slug !== '') expect(slugProblem(slug)).toBeUndefined()
    })
    fc.assert(slugs, { numRuns: 500 })
  })

  test.each(['', 'A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(81), '018f0000-0000-7000-8000-000000000000', 'a\n'])(
    '"%s" is not valid',
    slug => expect(slugProblem(slug)).toEqual(expect.any(String)),
  )
})

describe('a stream id', () => {
  test('from a client is normalized', () => {
    expect(parseAfter('1700000000000-0')).toBe('1700000000000-0')
    expect(parseAfter('000-007')).toBe('0-7')
    expect(parseAfter('18446744073709551615-18446744073709551615')).toBe('18446744073709551615-18446744073709551615')
  })

  test.each([
    '',
    '0',
    '-',
    '1-',
    '-1',
    '1-1-1',
    '1 - 1',
    '1.5-0',
    '18446744073709551616-0',
    '0-99999999999999999999',
    '+',
    '$',
    '1-1\n',
  ])('"%s" is rejected', text =>
    expect(() => parseAfter(text)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ pointer: '/after' })] }),
    ),
  )

  test('directly precedes another one', () => {
    const ids = fc.record({ ms: fc.nat(), n: fc.nat() })
    const comes = fc.property(ids, ids, (one, other) => {
      if (one.ms + one.n > 0) expect(compareIds(precedingId(one), one)).toBeLessThan(0)
      if (compareIds(other, one) < 0) expect(compareIds(other, precedingId(one))).toBeLessThanOrEqual(0)
      expect(parseStreamId(formatStreamId(one))).toEqual(one)
    })
    fc.assert(comes, { numRuns: 300 })
  })
})
