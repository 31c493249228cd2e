import * as fc from 'fast-check'
import { cutQuery, cleanQuery } from '../../search/query/query-text.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string({ maxLength: 3_000 }))

describe('a query', () => {
  test('is sent without control characters, unpaired surrogates and surrounding space', () => {
    expect(cleanQuery('  in\u0000voice\u001B[31m\nred\u007F \uD800 ')).toBe('in voice [31m red  \uFFFD')
    expect(cleanQuery('\u0000\t\n')).toBe('')
  })

  test('can always be sent', () => {
    const sendable = fc.property(anyText, text => {
      expect(cleanQuery(text).isWellFormed()).toBe(true)
      expect(cleanQuery(text)).not.toMatch(/\p{Cc}/u)
    })
    fc.assert(sendable)
  })
})

describe('the used part of a query', () => {
  test('is the whole text for a query of normal length', () => {
    const text = `Who's paying O'Neil's 3.5 kg "Zürich" order — today?`
    expect(cutQuery(text)).toEqual({ text, truncated: false })
  })

  test('consists of its first 256 words', () => {
    const words = Array.from({ length: 300 }, (_, n) => `word${n}`)
    expect(cutQuery(words.join(' '))).toEqual({ text: words.slice(0, 256).join(' '), truncated: true })
    expect(cutQuery(words.slice(0, 256).join(' ')).truncated).toBe(false)
  })

  test.each([
    ['characters that are separate words', '語'.repeat(2_000), 256],
    ['hyphens', 'a-'.repeat(1_000), 512],
    ['emoji', '👍'.repeat(1_000), 512],
  ])('is short for a text of %s', (_, text, length) => {
    expect(cutQuery(text).text).toHaveLength(length)
  })

  test('is a prefix of the text, and is shorter than the text only when it is truncated', () => {
    fc.assert(
      fc.property(anyText, text => {
        const query = cleanQuery(text)
        const used = cutQuery(query)
        expect(query.startsWith(used.text)).toBe(true)
        expect(used.truncated).toBe(used.text.length < query.length)
      }),
    )
  })
})
