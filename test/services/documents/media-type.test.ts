import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { AppError } from '../../../domain/shared/errors.ts'
import { DOCX, EML, PDF, XLSX } from '../../../services/documents/known-types.ts'
import { detectMediaType } from '../../../services/documents/media-type.ts'
import { docx, paragraph } from '../../activities/documents/fixtures/docx.ts'
import { pdf } from '../../activities/documents/fixtures/pdf.ts'
import { xlsx } from '../../activities/documents/fixtures/xlsx.ts'
import { zip } from '../../activities/documents/fixtures/zip.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(200)])
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
const A_PDF = pdf({ pages: [['x']] })
const A_DOCX = docx({ body: paragraph('x') })
const UMLAUTS = Buffer.from('Größe und Maß: naïve café', 'latin1')
const SUPPORTED =
  'Text is extracted from plain text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, EML and audio; images, video, archives and other Office files are stored without text'

const MAIL = 'From: a@example.com\r\nDate: Wed, 31 Jan 2024 09:30:00 +0100\r\nMIME-Version: 1.0\r\n\r\nwords'

async function detectType(content: string | Uint8Array, declared?: string, fileName?: string) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const { claimed: _, ...type } = await detectMediaType({ bytes, declared, fileName })
  return type
}

const findProblem = async (...args: Parameters<typeof detectType>): Promise<[number, string]> => {
  try {
    throw new Error(`it was expected to fail, and gave ${JSON.stringify(await detectType(...args))}`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [error.status, error.message]
  }
}

describe('the type of a document', () => {
  test.each([
    ['text/plain', 'text/plain'],
    ['Text/Markdown; charset=UTF-8', 'text/markdown'],
    ['text/x-markdown', 'text/markdown'],
    ['application/xhtml+xml', 'text/html'],
    ['application/csv', 'text/csv'],
    ['text/tab-separated-values', 'text/csv'],
    ['application/ld+json', 'application/json'],
    ['application/x-ndjson', 'application/json'],
    ['text/x-python', 'text/plain'],
  ])('declared as %s is identified as %s', async (declared, media_type) => {
    expect(await detectType('words', declared, 'misleading.pdf')).toEqual({ media_type, charset: 'utf-8' })
  })

  test.each([
    ['notes.md', 'text/markdown'],
    ['PAGE.HTM', 'text/html'],
    ['a.b.csv', 'text/csv'],
    ['lines.jsonl', 'application/json'],
    ['server.log', 'text/plain'],
    ['code.py', 'text/plain'],
    ['README', 'text/plain'],
  ])('named %s and declared without a type, or as generic bytes, is identified as %s', async (fileName, media_type) => {
    expect(await detectType('words', undefined, fileName)).toMatchObject({ media_type })
    expect(await detectType('words', 'application/octet-stream', fileName)).toMatchObject({ media_type })
  })

  test('is detected from its bytes if no type is declared', async () => {
    expect(await detectType(A_PDF)).toEqual({ media_type: PDF })
    expect(await detectType(A_DOCX)).toEqual({ media_type: DOCX })
    expect(await detectType(' \n<!DOCTYPE html><p>x')).toEqual({ media_type: 'text/html', charset: 'utf-8' })
    expect(await detectType('just words')).toEqual({ media_type: 'text/plain', charset: 'utf-8' })
  })

  test('is corrected for senders that declare a generic type', async () => {
    expect(await detectType('a;b', 'application/vnd.ms-excel', 'table.csv')).toMatchObject({ media_type: 'text/csv' })
    expect(await detectType('# a', 'text/plain', 'notes.md')).toMatchObject({ media_type: 'text/markdown' })
  })

  test.each([
    ['an email', MAIL, undefined, undefined, EML],
    ['an email', MAIL, 'text/plain', 'a.eml', EML],
    ['a workbook', xlsx({ A: [['x']] }), undefined, undefined, XLSX],
    ['a workbook', xlsx({ A: [['x']] }), 'application/vnd.ms-excel', 'a.xlsx', XLSX],
    ['a PNG', PNG, undefined, 'a.png', 'image/png'],
    ['a PNG', PNG, 'image/jpeg', undefined, 'image/png'],
    ['an archive', zip([{ name: 'x', content: 'x' }]), 'application/x-zip-compressed', 'a.zip', 'application/zip'],
    ['an archive', gzipSync('words'), undefined, undefined, 'application/gzip'],
    ['an Outlook message', COMPOUND, 'application/octet-stream', 'a.MSG', 'application/vnd.ms-outlook'],
    ['an old spreadsheet', COMPOUND, 'application/vnd.ms-excel', undefined, 'application/vnd.ms-excel'],
    ['an old document', COMPOUND, undefined, undefined, 'application/x-cfb'],
    ['rich text', Buffer.from('{\\rtf1 words}'), undefined, 'a.rtf', 'application/rtf'],
  ])(
    'is identified as %s by its bytes, its type or its name (%#)',
    async (_what, bytes, declared, fileName, media_type) => {
      expect(await detectType(bytes, declared, fileName)).toEqual({ media_type })
    },
  )

  test('can be text whose beginning looks like a binary format', async () => {
    for (const text of ['BMW builds cars', 'MZ is a postal code', 'GIF89a was a format', 'ID3 tags', 'II* is a mark'])
      expect(await detectType(text, 'text/plain')).toEqual({ media_type: 'text/plain', charset: 'utf-8' })
  })

  test('can be a PDF with a late header, and a DOCX with a late signature or encryption', async () => {
    expect(await detectType(Buffer.concat([Buffer.from('\n\n'), A_PDF]), 'application/pdf')).toEqual({
      media_type: PDF,
    })
    const late = zip([
      { name: 'word/media/a.png', content: Buffer.alloc(100_000, 'ab'), packed: Buffer.alloc(100_000) },
    ])
    expect(await detectType(late, DOCX)).toEqual({ media_type: DOCX })
    expect(await detectType(COMPOUND, DOCX)).toEqual({ media_type: DOCX })
  })
})

describe('the charset of text', () => {
  test('is the declared charset, under its standard name', async () => {
    expect(await detectType(UMLAUTS, 'text/plain; charset="ISO-8859-1"')).toMatchObject({ charset: 'windows-1252' })
    expect(await detectType(Buffer.from('hej', 'utf16le'), 'text/plain; charset=utf-16le')).toMatchObject({
      charset: 'utf-16le',
    })
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    expect(await detectType(japanese, 'text/csv; charset=Shift_JIS')).toMatchObject({ charset: 'shift_jis' })
  })

  test('is taken from a byte order mark, even if another charset is declared', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Größe', 'utf16le')])
    expect(await detectType(utf16, 'text/plain; charset=utf-8')).toMatchObject({ charset: 'utf-16le' })
    expect(await detectType(Buffer.from('\ufeffGröße'), 'text/plain; charset=latin1')).toMatchObject({
      charset: 'utf-8',
    })
  })

  test('in HTML can be declared inside the document', async () => {
    const html = Buffer.concat([Buffer.from('<html><meta charset="iso-8859-1">'), UMLAUTS])
    expect(await detectType(html)).toEqual({ media_type: 'text/html', charset: 'windows-1252' })
    expect(await detectType('<html><meta charset=utf-16><p>x')).toMatchObject({ charset: 'utf-8' })
  })

  test('is rejected if it is unknown, or if the bytes are invalid in it', async () => {
    expect(await findProblem('x', 'text/plain; charset=klingon')).toEqual([
      415,
      'The charset "klingon" is not supported',
    ])
    expect(await findProblem(UMLAUTS, 'text/plain')).toEqual([
      400,
      'The text is not valid UTF-8; declare its charset, for example "text/plain; charset=windows-1252"',
    ])
    expect(await findProblem(UMLAUTS, 'text/plain; charset=utf-8')).toEqual([400, 'The text is not valid UTF-8'])
    const halfPair = Buffer.concat([Buffer.alloc(2_000_000, 'ab'), Buffer.from([0x00, 0xd8, 0x61, 0x00])])
    expect(await findProblem(halfPair, 'text/plain; charset=utf-16le')).toEqual([400, 'The text is not valid UTF-16LE'])
  })
})

describe('a document is rejected', () => {
  test.each([
    ['a PNG', PNG, 'application/pdf', 'application/pdf, but its content is image/png'],
    ['a PNG', PNG, 'text/plain', 'text/plain, but its content is image/png'],
    ['a PDF', A_PDF, 'text/plain', 'text/plain, but its content is application/pdf'],
    ['a PDF', A_PDF, DOCX, `${DOCX}, but its content is application/pdf`],
    ['text', Buffer.from('words'), DOCX, `${DOCX}, but its content is text`],
    ['text', Buffer.from('words'), 'application/pdf', 'application/pdf, but its content is text'],
    ['a DOCX', A_DOCX, 'application/pdf', `application/pdf, but its content is ${DOCX}`],
    ['a DOCX', A_DOCX, 'text/csv', `text/csv, but its content is ${DOCX}`],
    ['noise', deflateRawSync(Buffer.from(UMLAUTS)), 'text/markdown', 'text/markdown, but its content is binary data'],
    ['an archive', gzipSync('words'), 'application/json', 'application/json, but its content is application/gzip'],
    ['rich text', Buffer.from('{\\rtf1 words}'), 'text/plain', 'text/plain, but its content is application/rtf'],
  ])('if it is %s but declared otherwise', async (_what, bytes, declared, message) => {
    expect(await findProblem(bytes, declared)).toEqual([415, `The document is declared as ${message}`])
  })

  test('if only its name indicates another type', async () => {
    expect(await findProblem('words', undefined, 'report.pdf')).toEqual([
      415,
      'The document is named report.pdf, but its content is text',
    ])
  })

  test('if its type cannot be read', async () => {
    expect(await findProblem('x', 'image/png')).toEqual([
      415,
      'The document is declared as image/png, but its content is text',
    ])
    expect(await findProblem('x', 'application/x-tool')).toEqual([
      415,
      `Documents of application/x-tool are not supported. ${SUPPORTED}`,
    ])
    expect(await findProblem(Buffer.from([0, 1, 2, 3]))).toEqual([
      415,
      `Documents of this type are not supported. ${SUPPORTED}`,
    ])
    expect(await findProblem('x', 'nonsense')).toEqual([415, '"nonsense" must be a media type'])
    expect(await findProblem('x', 'x'.repeat(500))).toEqual([415, `"${'x'.repeat(100)}…" must be a media type`])
  })

  test('if it is empty but must not be', async () => {
    for (const declared of [PDF, DOCX]) expect(await findProblem('', declared)).toEqual([400, 'The document is empty'])
    expect(await detectType('', 'text/plain')).toEqual({ media_type: 'text/plain', charset: 'utf-8' })
  })

  test('with a reason, or is identified as a known type, for any bytes', async () => {
    const declared = fc.constantFrom(undefined, 'text/plain', 'text/html', 'application/json', PDF, DOCX)
    const starts = fc.constantFrom(PNG, A_PDF, A_DOCX, COMPOUND, Buffer.from('text'), Buffer.alloc(0))
    await fc.assert(
      fc.asyncProperty(
        starts,
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(300),
        declared,
        async (start, tail, cut, type) => {
          const bytes = Buffer.concat([start.subarray(0, cut), tail])
          const outcome = await detectType(bytes, type).catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
        },
      ),
      { numRuns: 300 },
    )
  })
})
