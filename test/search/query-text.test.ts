import * as fc from 'fast-check'
import { cutQuery, cleanQuery } from '../../search/query/query-text.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string({ maxLength: 3_000 }))

describe('a query', () => {
  test('loses control characters, halves of surrogate pairs and space around it', () => {
    expect(cleanQuery('  in\u0000voice\u001B[31m\nred\u007F \uD800 ')).toBe('in voice [31m red  \uFFFD')
    expect(cleanQuery('\u0000\t\n')).toBe('')
  })

  test('is always something that can be sent', () => {
    const sendable = fc.property(anyText, text => {
      expect(cleanQuery(text).isWellFormed()).toBe(true)
      expect(cleanQuery(text)).not.toMatch(/\p{Cc}/u)
    })
    fc.assert(sendable)
  })
})

describe('the used part of a query', () => {
  test('is the whole text of a query of ordinary length', () => {
    const text = `Who's paying O'Neil's 3.5 kg "Zürich" order — today?`
    expect(cutQuery(text)).toEqual({ text, truncated: false })
  })

  test('is its first 256 words', () => {
    const words = Array.from({ length: 300 }, (_, n) => `word${n}`)
    expect(cutQuery(words.join(' '))).toEqual({ text: words.slice(0, 256).join(' '), truncated: true })
    expect(cutQuery(words.slice(0, 256).join(' ')).truncated).toBe(false)
  })

  test.each([
    ['signs that are words of their own', '語'.repeat(2_000), 256],
    ['hyphens', 'a-'.repeat(1_000), 512],
    ['emoji', '👍'.repeat(1_000), 512],
  ])('is short for a text of %s', (_, text, length) => {
    expect(cutQuery(text).text).toHaveLength(length)
  })

  test('is the beginning of the text, and shorter exactly when it is truncated', () => {
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
