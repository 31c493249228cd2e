import { useExtractor } from './fixtures/documents/extraction.ts'
import { pdf } from './fixtures/documents/pdf.ts'

const { read, failure } = useExtractor()

describe('PDF', () => {
  test('is read page by page, in any script', async () => {
    const bytes = pdf({ pages: [['Größe und Maß'], ['漢字かな交じり文', 'مرحبا بالعالم'], [], ['שלום עולם']] })
    const { text, pages, page_offsets = [] } = await read('pdf', bytes)
    expect(pages).toBe(4)
    expect(page_offsets.map((offset, at) => text.slice(offset, page_offsets[at + 1]).trim())).toEqual([
      'Größe und Maß',
      '漢字かな交じり文\nمرحبا بالعالم',
      '',
      'שלום עולם',
    ])
  })

  test('has large lines as headings, paragraphs by their distance, and words put together again', async () => {
    const body = ['The harbour was built by the town in 1904, and enlarg-', 'ed twice. It is in use. # 1 <b>']
    const bytes = pdf({
      pages: [
        [
          { text: 'Harbours', size: 24 },
          { text: 'of the North', size: 24 },
          ...body,
          { text: 'A second paragraph of it', above: 2 },
          { text: 'History', size: 15, above: 1 },
          'It is long.',
          'It goes on.',
          'It ends.',
        ],
      ],
    })
    const { text } = await read('pdf', bytes)
    expect(text).toBe(`# Harbours of the North

The harbour was built by the town in 1904, and enlarged twice. It is in use. # 1 \\<b>

A second paragraph of it

## History

It is long.
It goes on.
It ends.`)
  })

  test('says what it is', async () => {
    const info = { Title: 'Häfen', Author: 'Zoë', CreationDate: "D:20240131093000+01'00'", ModDate: 'yesterday' }
    expect(await read('pdf', pdf({ pages: [['x']], info }))).toMatchObject({
      title: 'Häfen',
      metadata: { author: 'Zoë', created: '2024-01-31T08:30:00.000Z' },
    })
  })

  test('tells how far it is', async () => {
    const seen: [number, number][] = []
    await read('pdf', pdf({ pages: [['a'], ['b'], ['c']] }), { onProgress: (...args) => void seen.push(args) })
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  test('without text says so', async () => {
    expect(await read('pdf', pdf({ pages: [[], []] }))).toEqual({
      text: '',
      title: null,
      pages: 2,
      page_offsets: [0, 0],
      metadata: { note: 'The pages hold no readable text; they may be scanned images' },
    })
  })

  test('says where text is missing since its font can not be read', async () => {
    const font = '<< /Type /Font /Subtype /Type0 /BaseFont /Far /Encoding /No-Such-H /DescendantFonts [4 0 R] >>'
    const { metadata } = await read('pdf', pdf({ pages: [['x']], objects: { 3: font } }))
    expect(metadata['note']).toMatch(/^Text in some fonts is missing/)
  })

  test('gives the pages that can be read, and names the others', async () => {
    const pages = '<< /Type /Pages /Count 3 /Kids [7 0 R 9 0 R 99 0 R] >>'
    const { text, metadata } = await read('pdf', pdf({ pages: [['one'], ['two']], objects: { 2: pages } }))
    expect(text).toBe('one\n\ntwo')
    expect(metadata).toEqual({ note: 'Pages that could not be read: 3' })
  })

  test('fails where its pages go in a circle', async () => {
    const pages = '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>'
    expect(await failure('pdf', pdf({ pages: [['x']], objects: { 2: pages } }))).toMatchObject({
      code: 'DOCUMENT_BROKEN',
      message: 'None of the pages of the PDF can be read',
    })
  })

  test('fails where it needs a password', async () => {
    expect(await failure('pdf', pdf({ pages: [['x']], encrypted: true }))).toMatchObject({
      code: 'DOCUMENT_ENCRYPTED',
      message: 'The PDF is encrypted; remove its password',
      retryable: false,
    })
  })

  test('fails where it is cut off, or is none', async () => {
    const whole = pdf({ pages: Array.from({ length: 20 }, (_, at) => [`Page ${at}`]) })
    for (const bytes of [whole.subarray(0, 300), Buffer.from('%PDF-1.7\nnothing'), Buffer.alloc(0)])
      expect(await failure('pdf', bytes)).toMatchObject({
        code: 'DOCUMENT_BROKEN',
        message: 'The PDF is cut off or damaged',
      })
  })
})
