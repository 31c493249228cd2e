import { useExtractor } from './fixtures/extraction.ts'
import { annotated, pdf } from './fixtures/pdf.ts'

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

  test('turns large lines into headings, splits paragraphs by spacing, and joins hyphenated words', async () => {
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

  test('keeps the hyphen of a potential compound word', async () => {
    const lines = [
      'A self-',
      'contained unit with a well-',
      'known main-',
      'tenance plan. The maintenance is due-',
      'Date open.',
    ]
    const { text } = await read('pdf', pdf({ pages: [lines, ['Co-', 'operation']] }))
    expect(text).toBe(
      'A self-contained unit with a well-known maintenance plan. The maintenance is due-\nDate open.\n\nCo-operation',
    )
  })

  test('includes its form values and typed annotations', async () => {
    const widget = '/Subtype /Widget'
    const objects = annotated([
      `${widget} /FT /Tx /T (claim) /TU (Claim number) /V (C-4711)`,
      `${widget} /FT /Tx /T (empty)`,
      `${widget} /FT /Tx /T (hidden) /V (unseen) /F 2`,
      `${widget} /FT /Tx /T (pin) /V (unseen) /Ff 8192`,
      `${widget} /FT /Ch /T (country) /Opt [(Norway) (Sweden)] /V (Norway)`,
      `${widget} /FT /Btn /T (insured) /V /Yes /AS /Yes /AP << /N << /Yes null /Off null >> >>`,
      `${widget} /FT /Btn /T (fraud) /V /Off /AS /Off /AP << /N << /Yes null /Off null >> >>`,
      '/Subtype /FreeText /Contents (Paid in cash) /DA (/F 9 Tf)',
    ])
    const { text, metadata } = await read('pdf', pdf({ pages: [['A form'], []], objects }))
    expect(text).toBe('A form\n\nPaid in cash\nClaim number: C-4711\ncountry: Norway\ninsured: Yes')
    expect(metadata).toEqual({ note: 'Pages without text, which may be scanned images: 2' })
  })

  test('returns columns one after the other, even if drawn row by row, and tables row by row', async () => {
    const column = (name: string) => [1, 2, 3, 4, 5].map(row => `The ${name} column goes to line ${row}`)
    const [left, right] = [column('left'), column('right')]
    const rows = left.map((text, at) => ({ text, right: right[at]! }))
    const { text } = await read('pdf', pdf({ pages: [[{ text: 'Above', above: 1 }, ...rows]] }))
    expect(text.replaceAll(/\s+/g, ' ')).toBe(['Above', ...left, ...right].join(' '))
    const table = [1, 2, 3, 4, 5].map(row => ({ text: `Item ${row}`, right: `The price of this item is ${row} EUR` }))
    const read5 = await read('pdf', pdf({ pages: [table] }))
    expect(read5.text).toMatch(/^Item 1\s+The price of this item is 1 EUR\nItem 2/)
  })

  test('returns its metadata', async () => {
    const info = { Title: 'Häfen', Author: 'Zoë', CreationDate: "D:20240131093000+01'00'", ModDate: 'yesterday' }
    expect(await read('pdf', pdf({ pages: [['x']], info }))).toMatchObject({
      title: 'Häfen',
      metadata: { author: 'Zoë', created: '2024-01-31T08:30:00.000Z' },
    })
  })

  test('reports the reading progress', async () => {
    const seen: [number, number][] = []
    await read('pdf', pdf({ pages: [['a'], ['b'], ['c']] }), { onProgress: (...args) => void seen.push(args) })
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  test('reports a missing text layer', async () => {
    expect(await read('pdf', pdf({ pages: [[], []] }))).toEqual({
      text: '',
      title: null,
      pages: 2,
      page_offsets: [0, 0],
      metadata: { note: 'The pages contain no readable text; they may be scanned images' },
    })
  })

  test('reports text that cannot be read because of its font', async () => {
    const font = '<< /Type /Font /Subtype /Type0 /BaseFont /Far /Encoding /No-Such-H /DescendantFonts [4 0 R] >>'
    const { metadata } = await read('pdf', pdf({ pages: [['x']], objects: { 3: font } }))
    expect(metadata['note']).toMatch(/^Text in some fonts is missing/)
  })

  test('returns the readable pages, and lists the unreadable ones', async () => {
    const pages = '<< /Type /Pages /Count 3 /Kids [7 0 R 9 0 R 99 0 R] >>'
    const { text, metadata } = await read('pdf', pdf({ pages: [['one'], ['two']], objects: { 2: pages } }))
    expect(text).toBe('one\n\ntwo')
    expect(metadata).toEqual({ note: 'Pages that could not be read: 3' })
  })

  test('fails if its pages form a cycle', async () => {
    const pages = '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>'
    expect(await failure('pdf', pdf({ pages: [['x']], objects: { 2: pages } }))).toMatchObject({
      code: 'DOCUMENT_BROKEN',
      message: "None of the PDF's pages can be read",
    })
  })

  test('fails if it requires a password', async () => {
    expect(await failure('pdf', pdf({ pages: [['x']], encrypted: true }))).toMatchObject({
      code: 'DOCUMENT_ENCRYPTED',
      message: 'The PDF is encrypted; remove its password',
      retryable: false,
    })
  })

  test('fails if it is truncated or not a PDF', async () => {
    const whole = pdf({ pages: Array.from({ length: 20 }, (_, at) => [`Page ${at}`]) })
    for (const bytes of [whole.subarray(0, 300), Buffer.from('%PDF-1.7\nnothing'), Buffer.alloc(0)])
      expect(await failure('pdf', bytes)).toMatchObject({
        code: 'DOCUMENT_BROKEN',
        message: 'The PDF is truncated or damaged',
      })
  })
})
