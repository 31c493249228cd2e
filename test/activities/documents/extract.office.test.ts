import { useExtractor } from './fixtures/extraction.ts'
import { xlsx } from './fixtures/xlsx.ts'
import { deflatedSpaces, zip } from './fixtures/zip.ts'

const { read, failure } = useExtractor()

describe('XLSX', () => {
  test('is converted to one table per sheet', async () => {
    const bytes = xlsx({
      Häfen: [
        ['Ort', 'Tiefe', 'Seit', 'Offen'],
        ['Köln | Deutz', 5.5, { date: 45_322 }, true],
        [null, null, null, null],
        ['&lt;b>', null, null, false],
      ],
      Empty: [],
      Notes: [['One']],
    })
    expect(await read('xlsx', bytes)).toEqual({
      text: [
        '## Häfen\n\n| Ort | Tiefe | Seit | Offen |\n| --- | --- | --- | --- |',
        '| Köln \\| Deutz | 5.5 | 2024-01-31 | true |\n| \\<b> |  |  | false |\n',
        '## Notes\n\n| One |\n| --- |',
      ].join('\n'),
      title: null,
      metadata: {},
    })
  })

  test('may be large', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`Row ${at}`, at, 'some more words of this row'])
    const { text } = await read('xlsx', xlsx({ Large: rows }))
    expect(text).toContain('| Row 19999 | 19999 | some more words of this row |')
  })

  test('fails if it expands to gigabytes, is encrypted, old, damaged or not a workbook', async () => {
    const sheet = { name: 'xl/worksheets/sheet0.xml', content: '', packed: deflatedSpaces(4_000) }
    const bomb = xlsx({ A: [['x']] }, [{ ...sheet, size: 4_000 * 1_048_576 }])
    expect(await failure('xlsx', bomb)).toMatchObject({ code: 'DOCUMENT_TOO_LARGE' })
    const compound = [Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]
    const secret = Buffer.from('EncryptedPackage', 'utf16le')
    expect(await failure('xlsx', Buffer.concat([...compound, secret]))).toMatchObject({ code: 'DOCUMENT_ENCRYPTED' })
    expect(await failure('xlsx', Buffer.concat(compound))).toMatchObject({
      message: 'The file is in a legacy Excel format; save it as XLSX',
    })
    expect(await failure('xlsx', xlsx({ A: [['x']] }).subarray(0, 400))).toMatchObject({ code: 'DOCUMENT_BROKEN' })
    expect(await failure('xlsx', zip([{ name: 'x.txt', content: 'x' }]))).toMatchObject({
      code: 'DOCUMENT_UNSUPPORTED',
      message: 'The file is not a workbook',
    })
  })
})

describe('EML', () => {
  const HEAD = [
    'From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.com>',
    'To: claims@example.com, Ann <ann@example.com>',
    'Subject: =?utf-8?B?U2NoYWRlbiBpbiBLw7Zsbg==?=',
    'Date: Wed, 31 Jan 2024 09:30:00 +0100',
    'MIME-Version: 1.0',
  ]
  const part = (type: string, content: string, more: string[] = []) =>
    [`--b`, `Content-Type: ${type}`, ...more, '', content].join('\r\n')
  const mail = (...parts: string[]) =>
    [...HEAD, 'Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', ''].join('\r\n')
  const file = part('application/pdf; name="Größe.pdf"', 'JVBERi0=', [
    'Content-Transfer-Encoding: base64',
    "Content-Disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf",
  ])

  test('includes its subject, people, date, body and attachment names', async () => {
    const text = part('text/plain; charset=iso-8859-1', 'Die Gr=F6=DFe\r\n# 1', [
      'Content-Transfer-Encoding: quoted-printable',
    ])
    expect(await read('eml', mail(text, file))).toEqual({
      text: [
        '# Schaden in Köln',
        'From: Zoë (zoe@example.com)\nTo: claims@example.com, Ann (ann@example.com)\nDate: 2024-01-31T08:30:00.000Z',
        'Die Größe\n\\# 1',
        'Attachments:\n\n- Größe.pdf',
      ].join('\n\n'),
      title: 'Schaden in Köln',
      metadata: {
        author: 'Zoë (zoe@example.com)',
        created: '2024-01-31T08:30:00.000Z',
        note: 'Attachments are listed but not read',
      },
    })
  })

  test('with only an HTML body is converted to Markdown', async () => {
    const { text } = await read('eml', mail(part('text/html', '<p>One</p><script>two()</script><ul><li>three</ul>')))
    expect(text).toMatch(/Z\n\nOne\n\n- three$/)
  })

  test('fails if it has no headers or is nested endlessly', async () => {
    expect(await failure('eml', '\r\n\r\nno headers')).toMatchObject({ code: 'DOCUMENT_BROKEN' })
    const nested = Array.from(
      { length: 2_000 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
    )
    expect(await failure('eml', `${HEAD.join('\r\n')}\r\n${nested.join('\r\n')}`)).toMatchObject({
      code: 'DOCUMENT_BROKEN',
    })
  })
})
