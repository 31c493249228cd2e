import { startHttpServer } from '../../support/stack/http-server.ts'
import { bullet, docx, documentXml, externalImage, paragraph, table } from './fixtures/docx.ts'
import { useExtractor } from './fixtures/extraction.ts'
import { deflatedSpaces, zip } from './fixtures/zip.ts'

const { read, failure } = useExtractor()
const MAIN = 'word/document.xml'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const IMAGE = `${OFFICE}/image`

describe('DOCX', () => {
  test('is converted to Markdown: headings, lists, tables', async () => {
    const body = [
      paragraph('Häfen', 'Titel'),
      paragraph('Lage', 'Heading2'),
      paragraph('Über 漢字 und &lt;tags&gt; שלום'),
      bullet('eins'),
      bullet('zwei', 1),
      table([
        ['Ort', 'Tiefe'],
        ['Köln', '5|6 m'],
      ]),
    ].join('')
    const properties =
      '<dc:creator>Zoë &amp; Co</dc:creator><dcterms:created>2024-01-31T08:30:00Z</dcterms:created><dc:title></dc:title>'
    expect(await read('docx', docx({ body, properties }))).toEqual({
      text: '# Häfen\n\n## Lage\n\nÜber 漢字 und \\<tags> שלום\n\n- eins\n  - zwei\n\n| Ort | Tiefe |\n| --- | --- |\n| Köln | 5\\|6 m |',
      title: 'Häfen',
      metadata: { author: 'Zoë & Co', created: '2024-01-31T08:30:00Z' },
    })
  })

  test('takes the title from its properties', async () => {
    const bytes = docx({ body: paragraph('x', 'Heading1'), properties: '<dc:title>Ports</dc:title>' })
    expect(await read('docx', bytes)).toMatchObject({ text: '# x', title: 'Ports' })
  })

  test('includes its headers and footers around the text, once each', async () => {
    const margin = (name: string, text: string) =>
      `<?xml version="1.0"?><w:${name} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${paragraph(text)}</w:${name}>`
    const files = [
      { name: 'word/header1.xml', content: margin('hdr', 'Claim 4711') },
      { name: 'word/header2.xml', content: margin('hdr', 'Claim 4711') },
      { name: 'word/footer1.xml', content: margin('ftr', 'Confidential') },
      { name: 'word/footer2.xml', content: margin('ftr', 'of another document') },
    ]
    const relations = ['header1', 'header2', 'footer1']
      .map((part, at) => `<Relationship Id="m${at}" Type="${OFFICE}/${part.slice(0, 6)}" Target="${part}.xml"/>`)
      .join('')
    const { text } = await read('docx', docx({ body: paragraph('The text'), files, relations }))
    expect(text).toBe('Claim 4711\n\nThe text\n\nConfidential')
  })

  test('omits hidden text', async () => {
    const run = (text: string, properties: string) => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
    const box = `<w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${paragraph('in a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
    const runs = [
      run('shown', '<w:vanish w:val="0"/>'),
      run('hidden', '<w:b/><w:vanish/>'),
      run('by style', '<w:rStyle w:val="Unseen"/>'),
      run(' too', '<w:b/>'),
      box,
    ]
    const mark = '<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>'
    const body = `<w:p>${mark}${runs.join('')}</w:p>${paragraph('of a paragraph', 'UnseenToo')}${paragraph('end')}`
    const content = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${['Unseen', 'UnseenToo'].map(id => `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr><w:vanish/></w:rPr></w:style>`).join('')}</w:styles>`
    const { text } = await read('docx', docx({ body, files: [{ name: 'word/styles.xml', content }] }))
    expect(text).toBe('shown too\n\nend')
  })

  test('fetches no external resources', async () => {
    const asked: (string | undefined)[] = []
    const server = await startHttpServer((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const relations = ['file:///etc/hostname', `${server.url}/image.png`]
      .map((to, at) => `<Relationship Id="e${at}" Type="${IMAGE}" Target="${to}" TargetMode="External"/>`)
      .join('')
    const body = externalImage('e0') + externalImage('e1') + paragraph('after')
    const { text } = await read('docx', docx({ body, relations }))
    await server.close()
    expect(text).toBe('A harbour\n\nA harbour\n\nafter')
    expect(asked).toEqual([])
  })

  test('fails if it defines XML entities, before they are expanded', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const content = `<!DOCTYPE w:document [<!ENTITY l0 "lol">${laughs}]>${documentXml(paragraph('&l9;'))}`
    expect(await failure('docx', docx({ body: '', files: [{ name: MAIN, content }] }))).toMatchObject({
      code: 'DOCUMENT_BROKEN',
      message: 'The document defines XML entities, which is not allowed',
    })
  })

  test('fails if a part expands to gigabytes, even if the declared size is smaller', async () => {
    const packed = deflatedSpaces(4_000)
    for (const size of [4_000 * 1_048_576, 1_000]) {
      const bytes = docx({ body: '', files: [{ name: MAIN, content: '', packed, size }] })
      expect(await failure('docx', bytes)).toMatchObject({
        code: 'DOCUMENT_TOO_LARGE',
        message: 'The document exceeds the maximum unpacked size',
      })
    }
  })

  test('does not decompress entries that it does not need', async () => {
    const files = [{ name: 'word/media/huge.png', content: '', packed: deflatedSpaces(4_000), size: 4_000 * 1_048_576 }]
    expect(await read('docx', docx({ body: paragraph('read'), files }))).toMatchObject({ text: 'read' })
  })

  test('fails if parts differ from the zip directory', async () => {
    const content = documentXml(paragraph('x'))
    for (const lie of [{ size: 100 }, { crc: 1 }])
      expect(await failure('docx', docx({ body: '', files: [{ name: MAIN, content, ...lie }] }))).toMatchObject({
        code: 'DOCUMENT_BROKEN',
        message: 'The document is damaged at "word/document.xml"',
      })
  })

  test('fails if it contains too many files', async () => {
    const files = Array.from({ length: 5_001 }, (_, at) => ({ name: `extra/${at}`, content: '' }))
    const problem = await failure('docx', docx({ body: '', files }))
    expect(problem.code).toBe('DOCUMENT_TOO_LARGE')
    expect(problem.message).toMatch(/^The document must contain at most 5000 files, not \d+$/)
  })

  test('fails if it is nested endlessly', async () => {
    const body = `${'<w:tbl><w:tr><w:tc>'.repeat(5_000)}${paragraph('x')}${'</w:tc></w:tr></w:tbl>'.repeat(5_000)}`
    expect(await failure('docx', docx({ body }))).toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The document is nested too deeply',
    })
  })

  test('fails if it is encrypted, whether as a zip or by Office', async () => {
    const compound = [
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1_000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]
    const content = documentXml('')
    for (const bytes of [
      Buffer.concat(compound),
      docx({ body: '', files: [{ name: MAIN, content, encrypted: true }] }),
    ])
      expect(await failure('docx', bytes)).toMatchObject({ code: 'DOCUMENT_ENCRYPTED' })
  })

  test('fails if it was created by an old Word version or another program', async () => {
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)])
    expect(await failure('docx', old)).toMatchObject({
      code: 'DOCUMENT_UNSUPPORTED',
      message: 'The file is in a legacy Word format; save it as DOCX',
    })
    expect(await failure('docx', zip([{ name: 'x.txt', content: 'x' }]))).toMatchObject({
      code: 'DOCUMENT_UNSUPPORTED',
      message: 'The file is not a Word document',
    })
  })

  test('fails if it is truncated, empty or not XML', async () => {
    const whole = docx({ body: paragraph('x'.repeat(1_000)) })
    const broken = docx({ body: '<w:p>' })
    for (const bytes of [whole.subarray(0, -40), whole.subarray(0, 500), Buffer.alloc(0), broken])
      expect(await failure('docx', bytes)).toMatchObject({ code: 'DOCUMENT_BROKEN' })
  })
})
