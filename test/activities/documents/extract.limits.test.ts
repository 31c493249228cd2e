import { constants, deflateRawSync } from 'node:zlib'
import { docx, paragraph } from './fixtures/docx.ts'
import { MB, running, useExtractor } from './fixtures/extraction.ts'
import { longPdf, pdf, pdfStream } from './fixtures/pdf.ts'

const MEMORY = 250 * MB
const ZLIB_HEADER = Buffer.of(0x78, 0x01)

/** A page that expands to a gigabyte. */
const bomb = pdf({ pages: [['x']], objects: { 8: pdfStream(Buffer.alloc(0), '/FlateDecode', gigabyte()) } })

/**
 * Returns a gigabyte of spaces in zlib format, without its end. All blocks are equal, so one is compressed and
 * repeated.
 */
function gigabyte() {
  const blocks = deflateRawSync(Buffer.alloc(16 * MB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([ZLIB_HEADER, ...Array.from({ length: 64 }, () => blocks)])
}

describe('document limits', () => {
  const { read, failure } = useExtractor({
    memoryBytes: MEMORY,
    inputBytes: 30 * MB,
    textChars: 1_000_000,
    pages: 4_000,
  })

  test('exceeding the memory limit ends only the affected read', async () => {
    const others = (async () => {
      const texts: string[] = []
      for (let at = 0; at < 5; at++) texts.push((await read('html', `still here ${at}`)).text)
      return texts
    })()
    const [problem, texts] = await Promise.all([failure('pdf', bomb), others])
    expect(problem).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'Reading the document requires more than the maximum of 250 MB of memory',
      retryable: false,
    })
    expect(texts).toEqual([0, 1, 2, 3, 4].map(at => `still here ${at}`))
    expect(running()).toEqual([])
  })

  test('a value too large for the heap ends only the affected read', async () => {
    const problem = await failure('json', `[${'{},'.repeat(9 * MB)}{}]`)
    expect(problem).toMatchObject({ code: 'DOCUMENT_TOO_LARGE' })
    expect(await read('json', '[1]')).toMatchObject({ text: '[0]: 1' })
  })

  test('too many bytes, too many pages and too much text are rejected', async () => {
    expect(await failure('text', Buffer.alloc(30 * MB + 1, 'a'))).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The document must have at most 31457280 bytes, not 31457281',
    })
    for (const format of ['text', 'html', 'csv', 'json', 'docx'] as const) {
      const words = 'word '.repeat(200_001)
      const content = {
        text: words,
        html: words,
        csv: words,
        json: `["${words}"]`,
        docx: docx({ body: paragraph(words) }),
      }
      expect(await failure(format, content[format])).toMatchObject({
        code: 'DOCUMENT_TOO_LARGE',
        message: "The document's text must have at most 1,000,000 characters",
      })
    }
    expect(await failure('pdf', pdf({ pages: Array.from({ length: 4_001 }, () => []) }))).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The PDF must have at most 4000 pages, not 4001',
    })
  })

  test('the table header appears only once if repeating it in each row would make the rows too long', async () => {
    const header = Array.from({ length: 5 }, (_, at) => `a rather long name of column ${at}`)
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at},b,c,d,e`)
    const { text } = await read('csv', [header.join(','), ...rows].join('\n'))
    expect(text.split('\n').slice(0, 2)).toEqual([header.join(' | '), '0 | b | c | d | e'])
    expect(text.split('\n')).toHaveLength(20_001)
  })

  test('a single line of 20 MB is rejected', async () => {
    expect(await failure('csv', 'word,'.repeat(4 * MB))).toMatchObject({ code: 'DOCUMENT_TOO_LARGE' })
  })
})

describe('time', () => {
  const { failure } = useExtractor({ timeoutMs: 1_000 })

  test('exceeding the time limit ends the read', async () => {
    expect(await failure('pdf', longPdf())).toMatchObject({
      code: 'DOCUMENT_TOO_SLOW',
      message: 'The document could not be read within 1 seconds',
      retryable: false,
    })
    expect(running()).toEqual([])
  })
})
