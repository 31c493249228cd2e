import { estimateTokens, truncateToTokens } from '../../../domain/search/chunking/approximate-tokens.ts'
import { type Chunk, chunkText } from '../../../domain/search/chunking/chunk.ts'

const countTokens = (text: string): number => text.match(/\S+/g)?.length ?? 0

const cut = (text: string, maxTokens = 20, overlapTokens = 0): Chunk[] =>
  chunkText(text, { countTokens, maxTokens, overlapTokens })
const texts = (chunks: Chunk[]): string[] => chunks.map(({ text }) => text)
const headings = (chunks: Chunk[]): (string | null)[] => chunks.map(({ heading }) => heading)
/** Returns `count` different sentences of four words. */
const sentences = (count: number, word = 'word'): string =>
  Array.from({ length: count }, (_, i) => `The ${word} of ${i}.`).join(' ')

describe('structure', () => {
  test('whitespace yields no chunks, and a short text yields one chunk without a heading', () => {
    expect(cut('')).toEqual([])
    expect(cut(' \n\t\r\n\u00a0\ufeff')).toEqual([])
    expect(cut('\n  Hello there.\n')).toEqual([
      { ordinal: 0, start: 3, end: 15, text: 'Hello there.', heading: null, tokens: 2 },
    ])
  })

  test('a heading starts a chunk, and applies to the chunks below it', () => {
    const text = `intro\n\n# Guide\n\nabout\n\n## Set *up* \`now\`\n\n${sentences(10)}\n\nUse\n===\n\nrun it`
    const chunks = cut(text, 20)
    expect(headings(chunks)).toEqual([null, 'Guide', ...Array<string>(3).fill('Guide › Set up now'), 'Use'])
    expect(chunks[1]?.text).toBe('# Guide\n\nabout')
    expect(chunks.at(-1)?.text).toBe('Use\n===\n\nrun it')
  })

  test('a heading stays with its parent headings, and with the beginning of its text', () => {
    const chunks = cut(`# Guide\n\n## Setup\n\n${sentences(5)}\n\n### Late`, 20)
    expect(texts(chunks)).toEqual([`# Guide\n\n## Setup\n\n${sentences(4)}`, 'The word of 4.', '### Late'])
    expect(headings(chunks)).toEqual(['Guide › Setup', 'Guide › Setup', 'Guide › Setup › Late'])
  })

  test('a heading that is too long is treated as a paragraph', () => {
    expect(headings(cut(`# ${'a'.repeat(150)}\n\ntext`))).toEqual([`${'a'.repeat(79)}…`])
    expect(headings(cut(`# ${'many words '.repeat(20)}\n\ntext`))).toEqual([null, null, null])
    expect(headings(cut('First line\nof two\n---\n\ntext'))).toEqual([null])
  })

  test('paragraphs, list items and table rows are kept whole if possible', () => {
    expect(texts(cut(`${sentences(3)}\n\n${sentences(3)}`, 20))).toEqual([sentences(3), sentences(3)])
    expect(texts(cut('- one two three\n- four five\n  six\n- seven', 7))).toEqual([
      '- one two three',
      '- four five\n  six\n- seven',
    ])
    const rows = ['| a | b |', '|---|---|', '| 1 | 2 |', '| 3 | 4 |']
    expect(texts(cut(rows.join('\n'), 11))).toEqual([rows.slice(0, 3).join('\n'), rows[3]])
  })

  test('a wrapped paragraph is cut between sentences, not between lines', () => {
    const text = 'One two three\nfour five. Six seven\neight nine. Ten eleven\ntwelve.'
    expect(texts(cut(text, 9))).toEqual(['One two three\nfour five. Six seven\neight nine.', 'Ten eleven\ntwelve.'])
  })

  test('a sentence longer than a chunk is cut between lines, then words, then inside words', () => {
    expect(texts(cut('one two three\nfour five six', 4))).toEqual(['one two three', 'four five six'])
    expect(texts(cut('one two three four five', 2))).toEqual(['one two', 'three four', 'five'])
    const smileys = '😀'.repeat(40)
    const chunks = cut(smileys, 3)
    expect(texts(chunks).join('')).toBe(smileys)
    expect(Math.max(...texts(chunks).map(text => text.length))).toBeLessThanOrEqual(30)
  })

  test('code is cut between lines, and a hash sign in code is not a heading', () => {
    const code = ['```sh', '# first', 'run one', '# second', 'run two', '```']
    const chunks = cut(`# Doc\n\n${code.join('\n')}`, 7)
    expect(texts(chunks)).toEqual(['# Doc\n\n```sh\n# first\nrun one', '# second\nrun two\n```'])
    expect(headings(chunks)).toEqual(['Doc', 'Doc'])
  })

  test('offsets are correct with any line ending, with a byte order mark and with two-unit characters', () => {
    const text = '\ufeff# Größe 😀\r\n\r\nEins zwei.\r\rDrei\ufeff vier.\n\n## Ende\n\nfünf'
    const chunks = cut(text, 5)
    for (const { text: part, start, end } of chunks) expect(text.slice(start, end)).toBe(part)
    expect(headings(chunks)).toEqual(['Größe 😀', 'Größe 😀', 'Größe 😀 › Ende'])
  })
})

describe('overlap', () => {
  test('consists of the last whole sentences that fit', () => {
    const [first, second] = cut(sentences(8), 20, 9)
    expect(first?.text).toBe(sentences(5))
    expect(second?.text).toBe('The word of 3. The word of 4. The word of 5. The word of 6. The word of 7.')
    expect(second?.tokens).toBe(20)
  })

  test('leaves room for the following text', () => {
    const text = `${sentences(4)}\n\n${sentences(4, 'next')} More of it.`
    expect(texts(cut(text, 20, 9))).toEqual([sentences(4), `${sentences(4, 'next')} More of it.`])
  })

  test('never crosses a heading, and never consists of rows, code or sentence fragments', () => {
    expect(texts(cut(`# A\n\n${sentences(2)}\n\n# B\n\n${sentences(2)}`, 12, 9))).toHaveLength(2)
    const parts = cut('a b c d e f g h i j', 4, 2)
    expect(texts(parts)).toEqual(['a b c d', 'e f g h', 'i j'])
    const table = `| k |\n|---|\n${'| v |\n'.repeat(9)}`
    const rows = cut(table, 12, 6)
    expect(rows.reduce((sum, { text }) => sum + countTokens(text), 0)).toBe(countTokens(table))
  })
})

describe('tables', () => {
  const table = (rows: number) =>
    `| name | amount |\n|---|---|\n${Array.from({ length: rows }, (_, i) => `| n${i} | ${i} |`).join('\n')}`

  test("a chunk that starts inside a table has the table's header row in its heading, not in its text", () => {
    const chunks = cut(`# Bills\n\n${table(12)}\n\nafter`, 22)
    expect(headings(chunks)).toEqual(['Bills', ...Array<string>(3).fill('Bills › name | amount')])
    expect(chunks[1]?.text.split('\n')[0]).toBe('| n2 | 2 |')
  })

  test('a long header row is truncated', () => {
    const names = Array.from({ length: 60 }, (_, i) => `column ${i}`)
    const text = `| ${names.join(' | ')} |\n|${'---|'.repeat(60)}\n${`| ${names.join(' | ')} |\n`.repeat(5)}`
    const heading = cut(text, 300).at(-1)?.heading ?? ''
    expect(heading).toMatch(/^column 0 \| column 1 \| .*…$/)
    expect(heading.length).toBeLessThanOrEqual(120)
  })

  test('a table of any length is treated as one table', () => {
    const chunks = cut(`${table(5_000)}\n\n# After\n\ntext`, 100)
    expect(headings(chunks)).toEqual([null, ...Array<string>(chunks.length - 2).fill('name | amount'), 'After'])
  })
})

describe('long texts', () => {
  test('code of any length and content is treated as code', () => {
    const inside = `# no heading\n\n${'x'.repeat(20_000)}\n\n| a |\n|---|\n`.repeat(3)
    const chunks = cut(`~~~\n${inside}~~~\n\n# Heading\n\ntext`, 50)
    expect(new Set(headings(chunks))).toEqual(new Set([null, 'Heading']))
    expect(chunks.at(-1)?.text).toBe('# Heading\n\ntext')
  })

  test('many tiny sections share chunks, under their common heading', () => {
    const tiny = Array.from({ length: 3_000 }, (_, i) => `## S${i}\n\nx\n`).join('\n')
    const chunks = cut(`# All\n\n${tiny}`, 80)
    expect(headings(chunks.slice(0, 3))).toEqual(['All › S0', 'All › S1', 'All › S2'])
    expect(chunks.at(-1)?.heading).toMatch(/^All/)
    expect(chunks.length).toBeLessThan(64 + (8 * countTokens(tiny)) / 80 + 1)
  })

  /**
   * Most of the work is counting, so the number of characters counted shows whether the cost grows faster than the
   * text.
   */
  function charactersCounted(text: string): { counted: number; chunks: Chunk[] } {
    let counted = 0
    const count = (part: string) => {
      counted += part.length
      return estimateTokens(part)
    }
    return { chunks: chunkText(text, { countTokens: count, maxTokens: 208, overlapTokens: 32 }), counted }
  }

  const MB = 1_000_000
  const nested = (line: (depth: number) => string, depths: number) =>
    Array.from({ length: depths }, (_, depth) => line(depth)).join('\n')

  test.each([
    ['500 kB of prose', sentences(10, 'rather ordinary word').concat('\n\n').repeat(1_600)],
    ['a line of 1 MB without a space', 'x'.repeat(MB)],
    ['a line of 200 kB of short words', 'a b. '.repeat(MB / 25)],
    ['10,000 tiny paragraphs', 'tiny.\n\n'.repeat(10_000)],
    ['1 MB of white space', `a${' '.repeat(MB)}b${'\n'.repeat(MB)}c`],
    ['nested lists', nested(depth => `${'  '.repeat(depth)}- item`, 600)],
    ['nested quotes', nested(depth => `${'>'.repeat(depth)} quote`, 900)],
    ['lists opened on one line', '1. '.repeat(20_000)],
    ['quotes opened on one line', '>'.repeat(MB / 5)],
    ['a quote that continues without its mark', `> a\n${'b\n'.repeat(5_000)}`],
    ['endless underlined headings', 'a\n-\n'.repeat(4_000)],
    ['brackets, stars and ticks', '[*`_<!'.repeat(50_000)],
    ['a table with a cell for every character', `${'|a'.repeat(3_000)}\n${'|-'.repeat(3_000)}\n`.repeat(20)],
  ])('%s: the cost grows no faster than the text', (_name, text) => {
    const { chunks, counted } = charactersCounted(text)
    expect(counted).toBeLessThan(8 * text.length)
    expect(chunks.every(({ text: part }) => part.length <= 2_080)).toBe(true)
  })
})

describe('tokens without a tokenizer', () => {
  test('are overestimated rather than underestimated', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens(' \n ')).toBe(0)
    expect(estimateTokens('The cat sat.')).toBe(4)
    expect(estimateTokens('extraordinarily 12345 日本語')).toBe(4 + 3 + 3)
  })

  test('a text is cut before the token that would exceed the limit', () => {
    expect(truncateToTokens('one two three', 3)).toBe('one two ')
    expect(truncateToTokens('one two three', 9)).toBe('one two three')
  })
})
