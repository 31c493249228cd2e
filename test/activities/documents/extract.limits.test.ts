import { constants, deflateRawSync } from 'node:zlib'
import { docx, paragraph } from './fixtures/docx.ts'
import { MB, running, useExtractor } from './fixtures/extraction.ts'
import { longPdf, pdf, pdfStream } from './fixtures/pdf.ts'

const MEMORY = 250 * MB
const ZLIB_HEADER = Buffer.of(0x78, 0x01)

/** A page that unpacks to a gigabyte. */
const bomb = pdf({ pages: [['x']], objects: { 8: pdfStream(Buffer.alloc(0), '/FlateDecode', gigabyte()) } })

/** A gigabyte of spaces as zlib has it, without its end: it is made of equal blocks, so that they are compressed once. */
function gigabyte() {
  const blocks = deflateRawSync(Buffer.alloc(16 * MB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([ZLIB_HEADER, ...Array.from({ length: 64 }, () => blocks)])
}

describe('what a document may take', () => {
  const { read, failure } = useExtractor({
    memoryBytes: MEMORY,
    inputBytes: 30 * MB,
    textChars: 1_000_000,
    pages: 4_000,
  })

  test('more memory than allowed ends its own reading only', async () => {
    const others = (async () => {
      const texts: string[] = []
      for (let at = 0; at < 5; at++) texts.push((await read('html', `still here ${at}`)).text)
      return texts
    })()
    const [problem, texts] = await Promise.all([failure('pdf', bomb), others])
    expect(problem).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'Reading the document takes more memory than the 250 MB allowed',
      retryable: false,
    })
    expect(texts).toEqual([0, 1, 2, 3, 4].map(at => `still here ${at}`))
    expect(running()).toEqual([])
  })

  test('a value too large for the heap ends its own reading only', async () => {
    const problem = await failure('json', `[${'{},'.repeat(9 * MB)}{}]`)
    expect(problem).toMatchObject({ code: 'DOCUMENT_TOO_LARGE' })
    expect(await read('json', '[1]')).toMatchObject({ text: '[0]: 1' })
  })

  test('more bytes, text or pages than allowed', async () => {
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
        message: 'The text of the document must have at most 1,000,000 characters',
      })
    }
    expect(await failure('pdf', pdf({ pages: Array.from({ length: 4_001 }, () => []) }))).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The PDF must have at most 4000 pages, not 4001',
    })
  })

  test('a table of which a row would be too much text with its header has the header once', async () => {
    const header = Array.from({ length: 5 }, (_, at) => `a rather long name of column ${at}`)
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at},b,c,d,e`)
    const { text } = await read('csv', [header.join(','), ...rows].join('\n'))
    expect(text.split('\n').slice(0, 2)).toEqual([header.join(' | '), '0 | b | c | d | e'])
    expect(text.split('\n')).toHaveLength(20_001)
  })

  test('one line of 20 MB', async () => {
    expect(await failure('csv', 'word,'.repeat(4 * MB))).toMatchObject({ code: 'DOCUMENT_TOO_LARGE' })
  })
})

describe('time', () => {
  const { failure } = useExtractor({ timeoutMs: 1_000 })

  test('more of it than allowed ends the reading', async () => {
    expect(await failure('pdf', longPdf())).toMatchObject({
      code: 'DOCUMENT_TOO_SLOW',
      message: 'The document could not be read within 1 seconds',
      retryable: false,
    })
    expect(running()).toEqual([])
  })
})
