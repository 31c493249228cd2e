import * as fc from 'fast-check'
import { estimateTokens } from '../../../domain/search/chunking/approximate-tokens.ts'
import { type Chunk, chunkText } from '../../../domain/search/chunking/chunk.ts'

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0
const countCharacters = (text: string): number => text.match(/\S/gu)?.length ?? 0
const counter = fc.constantFrom(countWords, countCharacters, estimateTokens)

const word = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 1, maxLength: 9 }) },
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
  fc.constantFrom('**bold**', '[link](url)', '`code`', '|', '\ud83d\ude00', '\ufeff', '<b>', 'x'.repeat(300), 'e.g.'),
)
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 12 }), fc.constantFrom('.', '?', '!', ''))
  .map(([words, end]) => words.join(' ') + end)
const paragraph = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 5 }), fc.constantFrom(' ', '\n', '  \n'))
  .map(([sentences, between]) => sentences.join(between))
const table = fc
  .array(fc.tuple(word, word), { minLength: 1, maxLength: 12 })
  .map(rows => ['| k | v |', '|---|---|', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'))

/** Valid and malformed pieces of Markdown. */
const block = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  fc.tuple(fc.integer({ min: 1, max: 6 }), word).map(([level, title]) => `${'#'.repeat(level)} ${title}`),
  word.map(title => `${title}\n---`),
  fc.array(sentence, { minLength: 1, maxLength: 6 }).map(items => items.map(item => `- ${item}`).join('\n')),
  fc
    .array(sentence, { minLength: 1, maxLength: 4 })
    .map(items => items.map((item, i) => `${' '.repeat(i * 3)}1. ${item}`).join('\n')),
  paragraph.map(text => `> ${text.replaceAll('\n', '\n> ')}`),
  paragraph.map(text => `\`\`\`\n${text}\n\`\`\``),
  table,
  fc.constantFrom('```', '~~~js', '    indented', '***', '> > > - 1. deep', '\t', '<div>', '[a]: b', '   '),
)
const document = fc
  .tuple(fc.array(block, { maxLength: 14 }), fc.constantFrom('\n\n', '\n', '\r\n\r\n', '\r', '\n \n\n'))
  .map(([blocks, between]) => blocks.join(between))

const anyText = fc.oneof(
  { weight: 3, arbitrary: document },
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('a', '\n', ' ', '#', '|', '-', '>', '`', '.', '\r', '\ud800', '\udc00'),
    maxLength: 200,
  }),
)

const limits = fc.record({ maxTokens: fc.integer({ min: 1, max: 60 }), overlapTokens: fc.integer({ min: 0, max: 20 }) })

/** Runs a check over many texts, counters and limits. */
function always(check: (chunks: Chunk[], text: string, options: Parameters<typeof chunkText>[1]) => void): void {
  const holds = fc.property(anyText, counter, limits, (text, countTokens, most) => {
    const options = { countTokens, ...most }
    check(chunkText(text, options), text, options)
  })
  fc.assert(holds, { numRuns: 100 })
}

/** Returns the text that a chunk and the next one share. */
const repeated = (text: string, chunk: Chunk, next: Chunk): string =>
  text.slice(next.start, Math.max(chunk.end, next.start))

const pairs = (chunks: Chunk[]): [Chunk, Chunk][] => chunks.slice(1).map((next, i) => [chunks[i] as Chunk, next])

describe('chunks of any text', () => {
  test('are slices of the text, without surrounding whitespace', () => {
    always((chunks, text) => {
      for (const chunk of chunks) {
        expect(chunk.text).toBe(text.slice(chunk.start, chunk.end))
        expect(chunk.text.trim()).toBe(chunk.text)
        expect(chunk.text).not.toBe('')
      }
    })
  })

  test('contain all text except whitespace', () => {
    always((chunks, text) => {
      let end = 0
      for (const chunk of chunks) {
        expect(text.slice(end, Math.max(end, chunk.start)).trim()).toBe('')
        end = chunk.end
      }
      expect(text.slice(end).trim()).toBe('')
    })
  })

  test('are in order, and each one adds new text', () => {
    always(chunks => {
      expect(chunks.map(({ ordinal }) => ordinal)).toEqual([...chunks.keys()])
      for (const [chunk, next] of pairs(chunks)) {
        expect(next.start).toBeGreaterThan(chunk.start)
        expect(next.end).toBeGreaterThan(chunk.end)
      }
    })
  })

  test('are never too long for the model', () => {
    always((chunks, _text, { countTokens, maxTokens }) => {
      for (const { text, tokens } of chunks) {
        expect(tokens).toBeLessThanOrEqual(maxTokens)
        expect(countTokens(text)).toBeLessThanOrEqual(tokens)
        expect(text.length).toBeLessThanOrEqual(maxTokens * 10)
      }
    })
  })

  test('overlap no more than allowed', () => {
    always((chunks, text, { countTokens, overlapTokens }) => {
      for (const [chunk, next] of pairs(chunks))
        expect(countTokens(repeated(text, chunk, next))).toBeLessThanOrEqual(overlapTokens)
    })
  })

  test('never split a character', () => {
    const isParted = (text: string, offset: number) => (text.codePointAt(offset - 1) ?? 0) > 0xffff
    always((chunks, text) => {
      for (const { start, end } of chunks) expect([isParted(text, start), isParted(text, end)]).toEqual([false, false])
    })
  })

  test('are identical every time', () => {
    always((chunks, text, options) => expect(chunkText(text, options)).toEqual(chunks))
  })
})

describe('headings', () => {
  const title = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })
  const prose = fc.array(fc.constantFrom('One two.', 'Three four five.', 'Six.'), { minLength: 1, maxLength: 12 })
  const wide = limits.filter(({ maxTokens }) => maxTokens >= 8)
  const section = fc.record({ title, level: fc.integer({ min: 1, max: 4 }), prose })

  test('belong to one section each, with the name of the section and no text from the previous one', () => {
    const holds = fc.property(fc.array(section, { minLength: 1, maxLength: 10 }), wide, (sections, most) => {
      const text = sections
        .map(each => `${'#'.repeat(each.level)} ${each.title}\n\n${each.prose.join(' ')}`)
        .join('\n\n')
      for (const chunk of chunkText(text, { countTokens: countWords, ...most })) {
        expect(chunk.text.lastIndexOf('# ')).toBeLessThan(5)
        const before =
          text
            .slice(0, chunk.end)
            .match(/^#+ \S+/gm)
            ?.at(-1) ?? ''
        expect(chunk.heading?.split(' › ').at(-1)).toBe(before.replace(/^#+ /, ''))
      }
    })
    fc.assert(holds, { numRuns: 100 })
  })
})
