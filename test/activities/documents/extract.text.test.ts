import { readText as read, useExtractor } from './fixtures/extraction.ts'

const { failure } = useExtractor()

describe('plain text', () => {
  test('is returned unchanged', async () => {
    const text = 'Größe: 5 µm\n\n  漢字と仮名 – مرحبا بالعالم\n# no heading <b>\n'
    expect(read('text', text)).toEqual({ text, title: null, metadata: {} })
  })

  test('is decoded by its byte order mark, or else by its charset', async () => {
    const windows = Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x80])
    expect(read('text', windows, { charset: 'windows-1252' })).toMatchObject({ text: 'Grüße€' })
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Größe 漢字', 'utf16le')])
    expect(read('text', utf16)).toMatchObject({ text: 'Größe 漢字' })
    const bigEndian = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('Größe', 'utf16le').swap16()])
    expect(read('text', bigEndian, { charset: 'utf-8' })).toMatchObject({ text: 'Größe' })
    expect(read('text', Buffer.from('\ufeffmarked'))).toMatchObject({ text: 'marked' })
  })

  test('is returned with normalized line endings, composed letters and no control characters', async () => {
    const { text } = read('text', 'a\r\nb\rc\u2028d\u0085e\0\u0007f\u007f\tg u\u0308 so\u00adft\n')
    expect(text).toBe('a\nb\nc\nd\nef\tg ü soft\n')
  })

  test('fails if it is invalid in its declared charset', async () => {
    expect(await failure('text', Buffer.from([0x61, 0xff, 0x62]))).toMatchObject({
      code: 'DOCUMENT_BROKEN',
      message: 'The text is not valid UTF-8',
      retryable: false,
    })
  })

  test('may be empty', async () => {
    expect(read('text', '')).toMatchObject({ text: '' })
  })

  test('gets combining marks in canonical order, even if a letter has very many', async () => {
    expect(read('text', 'o\u0301\u0323')).toMatchObject({ text: '\u1ecd\u0301' })
    const { text } = read('text', `a${'\u0301'.repeat(250_000)}${'\u0323'.repeat(250_000)}`)
    expect(text.replaceAll('\u034f', '').replaceAll('\u00e1', 'a\u0301')).toHaveLength(500_001)
  })
})

describe('Markdown', () => {
  test('is returned unchanged, with the title and author of its front matter', async () => {
    const text = '---\ntitle: "Häfen & Schiffe"\nauthor: Zoë\ntags: [a, b]\n---\n\n# Another\n\n- *one*\n'
    expect(read('markdown', text)).toEqual({ text, title: 'Häfen & Schiffe', metadata: { author: 'Zoë' } })
  })

  test('takes its first heading as the title, not a comment in code', async () => {
    const text = '```sh\n# install\n```\n\n# Manual #\n\n# Second\n'
    expect(read('markdown', text)).toMatchObject({ title: 'Manual' })
    expect(read('markdown', 'no heading')).toMatchObject({ title: null })
    expect(read('markdown', '#  C# and F#  ## \t\n')).toMatchObject({ title: 'C# and F#' })
  })
})

describe('CSV', () => {
  test('becomes one paragraph per row, with the header before each value', async () => {
    const { text } = read('csv', 'Name,Stadt,Alter\nAda,"Köln, am Rhein",36\n"Bob ""B""",,41\n')
    expect(text).toBe('Name: Ada\nStadt: Köln, am Rhein\nAlter: 36\n\nName: Bob "B"\nAlter: 41')
  })

  test.each([
    [';', 'a;b\n1,5;2,5\n'],
    ['tab', 'a\tb\n1,5\t2,5\n'],
    ['|', 'a|b\n1,5|2,5\n'],
    ['the delimiter in the first line', 'sep=;\na;b\n1,5;2,5\n'],
  ])('is delimited by %s', async (_name, content) => {
    expect(read('csv', content)).toMatchObject({ text: 'a: 1,5\nb: 2,5' })
  })

  test('may have rows of different lengths, empty lines and line breaks in cells', async () => {
    const { text } = read('csv', 'a,b\r\n1\r\n\r\n"2\r\nmore",3,4\r\n')
    expect(text).toBe('a: 1\n\na: 2\nmore\nb: 3\ncolumn 3: 4')
  })

  test('becomes one line per row if it has no header', async () => {
    expect(read('csv', '2024-01-31,5\n2024-02-01,6\n')).toMatchObject({ text: '2024-01-31 | 5\n2024-02-01 | 6' })
    expect(read('csv', 'only,a header\n')).toMatchObject({ text: 'only | a header' })
    expect(read('csv', '')).toMatchObject({ text: '' })
  })

  test('fails if a quotation mark is never closed', async () => {
    expect(await failure('csv', 'a,b\n"1,2\n3,4\n')).toMatchObject({
      code: 'DOCUMENT_BROKEN',
      message: 'The CSV has an unclosed quotation mark',
    })
  })
})

describe('JSON', () => {
  test("becomes one line per value, with the value's path", async () => {
    const value = {
      title: 'Orders',
      customer: { name: 'Zoë', 'home address': { city: 'Köln' } },
      items: [
        { sku: 'A1', price: 5 },
        { sku: 'B2', paid: null },
      ],
      tags: ['漢字', 'عربي'],
      none: [],
    }
    const { text, title } = read('json', JSON.stringify(value))
    expect(title).toBe('Orders')
    expect(text.split('\n')).toEqual([
      'title: Orders',
      'customer.name: Zoë',
      'customer["home address"].city: Köln',
      '',
      'items[0].sku: A1',
      'items[0].price: 5',
      '',
      'items[1].sku: B2',
      'items[1].paid: null',
      'tags[0]: 漢字',
      'tags[1]: عربي',
      'none: []',
    ])
  })

  test('keeps all digits of a long number', async () => {
    const { text } = read('json', '{"id": 12345678901234567890, "pi": 3.14159265358979323846}')
    expect(text).toBe('id: 12345678901234567890\npi: 3.14159265358979323846')
  })

  test('may be JSON Lines', async () => {
    expect(read('json', '{"a": 1}\n\n{"a": [2]}\n')).toMatchObject({ text: '[0].a: 1\n\n[1].a[0]: 2' })
  })

  test.each([
    ['{"a": 1,\n  b: 2}', 'The JSON is invalid at line 2, column 3'],
    ['{"a": [1, 2', /^The JSON is invalid/],
    ['{"a": 1}\n{"a": oops}\n', 'Line 2 is not valid JSON'],
    ['', 'The document is empty, which is not valid JSON'],
  ])('fails if it is invalid: %j', async (content, message) => {
    const problem = await failure('json', content)
    expect(problem).toMatchObject({ code: 'DOCUMENT_BROKEN' })
    expect(problem.message).toMatch(message)
  })

  test('fails if it is nested endlessly', async () => {
    expect(await failure('json', '['.repeat(100_000) + ']'.repeat(100_000))).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The JSON must be at most 200 levels deep',
    })
  })
})
