import fc from 'fast-check'
import { deriveTitle, findDocumentTitle } from '../../../domain/documents/documents.ts'

test.each([
  [{ file_name: 'Report 2026.final.pdf', start: 'x' }, 'Report 2026.final'],
  [{ file_name: '.env' }, '.env'],
  [{ file_name: 'README' }, 'README'],
  [{ start: '\uFEFF\n\n## Opening *hours* ##\n\ntext' }, 'Opening hours'],
  [{ start: '> - `quoted`  words\nmore' }, 'quoted words'],
  [{ start: '***\n---\n', source_key: 'https://example.com/a/handbook/' }, 'handbook'],
  [{ source_key: 'C:\\files\\plan' }, 'plan'],
  [{ start: '\u0000\u0007' }, 'Untitled document'],
  [{}, 'Untitled document'],
])('%j is titled %j', (known, title) => {
  expect(deriveTitle(known)).toBe(title)
})

test.each([
  ['Supplier policy', 'Supplier policy'],
  ['  Two\nlines ', 'Two lines'],
  ['Microsoft Word - policy.docx', undefined],
  ['policy.PDF', undefined],
  ['untitled', undefined],
  ['Untitled-1', undefined],
  ['Documentary films', 'Documentary films'],
  ['', undefined],
])('the document title %j becomes %j', (own, title) => {
  expect(findDocumentTitle(own)).toBe(title)
})

test('a title derived from any text is a single line that can be stored', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(fc.record({ file_name: text, start: text, source_key: text }, { requiredKeys: [] }), known => {
      const title = deriveTitle(known)
      expect(title).toBe(title.trim())
      expect(title.length).toBeGreaterThan(0)
      expect(title.length).toBeLessThanOrEqual(200)
      expect(title.isWellFormed()).toBe(true)
      expect(title).not.toMatch(/\p{Cc}/u)
    }),
  )
})
