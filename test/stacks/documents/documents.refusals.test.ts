import { deflatedSpaces } from '../../activities/documents/fixtures/zip.ts'
import { docx, documentXml, paragraph } from '../../activities/documents/fixtures/docx.ts'
import { pdf } from '../../activities/documents/fixtures/pdf.ts'
import { type FilePart, encodeForm, ingest, ingestFile, readAsset } from '../../support/documents/documents.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'

const context = useOwnStack()

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('an invalid document request is rejected with the reason and the location', () => {
  const text = 'fine'
  const cases: [string, object, number, string][] = [
    ['nothing', {}, 400, ''],
    ['a list', [], 400, ''],
    ['two contents', { text, content_base64: base64(text) }, 400, ''],
    ['a file in JSON', { file: text }, 400, '/file'],
    ['a text that is a number', { text: 7 }, 400, '/text'],
    ['an empty text', { text: '' }, 400, '/text'],
    ['an empty file', { content_base64: '' }, 400, '/content_base64'],
    ['only space', { text: ' \n\t ' }, 400, '/text'],
    ['what is not base64', { content_base64: 'a$b=' }, 400, '/content_base64'],
    ['base64 of URLs', { content_base64: '-_-_' }, 400, '/content_base64'],
    ['base64 in lines', { content_base64: 'QUFB\nQUFB' }, 400, '/content_base64'],
    ['base64 with bits left over', { content_base64: 'QR==' }, 400, '/content_base64'],
    ['unknown fields', { text, color: 'red' }, 400, '/color'],
    ['a path with ..', { text, path: '/a/../b' }, 400, '/path'],
    ['a path that is no folder', { text, path: 'a' }, 400, '/path'],
    ['a file name with a folder', { text, file_name: '../../etc/passwd' }, 400, '/file_name'],
    ['a title of two lines', { text, title: 'a\nb' }, 400, '/title'],
    ['a title of spaces', { text, title: '  ' }, 400, '/title'],
    ['metadata that is nested', { text, metadata: { a: { b: 1 } } }, 400, '/metadata/a'],
    ['no UUID', { text, brain_id: 'x' }, 400, '/brain_id'],
    ['an unknown type', { text, mime_type: 'image/png' }, 415, '/mime_type'],
    ['a type that is none', { text, mime_type: 'nonsense' }, 415, '/mime_type'],
    ['text called PDF', { text, mime_type: 'application/pdf' }, 415, '/mime_type'],
    ['text named PDF', { content_base64: base64(text), file_name: 'a.pdf' }, 415, '/content_base64'],
    ['bytes without a type', { content_base64: base64('\u0000\u0001\u0002') }, 415, '/content_base64'],
    [
      'a wrong charset',
      { content_base64: Buffer.from([0x66, 0xff]).toString('base64'), mime_type: 'text/plain' },
      400,
      '',
    ],
  ]

  test.each(cases)('%s', async (_, body, status, pointer) => {
    const refused = await ingest(context.workspace.client, body)
    expect([refused.status, refused.body]).toMatchObject([status, { message: expect.any(String) }])
    if (pointer) expect(refused.body.details?.map(detail => detail.pointer)).toContain(pointer)
    expect(refused.headers.get('x-request-id')).toBeTruthy()
  })

  test('with an unknown brain', async () => {
    const refused = await ingest(context.workspace.client, { text, brain_id: '0192f0c4-0000-7000-8000-0000000000b1' })
    expect(refused.status).toBe(403)
  })
})

describe('an invalid document form is rejected with the reason and the location', () => {
  const file: FilePart = { bytes: 'fine', name: 'a.txt' }
  const send = async (fields: Record<string, string | FilePart>, change = (raw: Uint8Array) => raw) => {
    const { raw, type } = await encodeForm(fields)
    const headers = { 'Content-Type': type }
    return context.workspace.client.post<{ details?: { pointer: string }[]; message: string }>(
      '/v1/assets/ingest',
      undefined,
      {
        raw: change(raw),
        headers,
      },
    )
  }

  const cases: [string, Record<string, string | FilePart>, number, string][] = [
    ['no file', { title: 'x' }, 400, '/file'],
    ['a file in another part', { upload: file }, 400, '/upload'],
    ['a file sent as a field', { file: 'text' }, 400, '/file'],
    ['two files', { file, other: file }, 400, '/other'],
    ['unknown fields', { file, color: 'red' }, 400, '/color'],
    ['metadata that is not JSON', { file, metadata: '{a}' }, 400, '/metadata'],
    ['an oversized field', { file, title: 'x'.repeat(70_000) }, 400, '/title'],
    ['a text next to the file', { file, text: 'x' }, 400, '/text'],
    ['an empty file', { file: { ...file, bytes: '' } }, 400, '/file'],
    [
      'a damaged image',
      { file: { bytes: Buffer.from('iVBORw0KGgo=', 'base64'), name: 'a.png', type: 'image/png' } },
      415,
      '',
    ],
    [
      'an image declared as text',
      { file: { bytes: Buffer.from('iVBORw0KGgoAAAAN', 'base64'), name: 'a.txt' } },
      415,
      '/file',
    ],
    ['a key of the prototype', { file, __proto__x: 'x', ['__proto__']: 'x' }, 400, ''],
  ]

  test.each(cases)('%s', async (_, fields, status, pointer) => {
    const refused = await send(fields)
    expect([refused.status, refused.body]).toMatchObject([status, { message: expect.any(String) }])
    if (pointer) expect(refused.body.details?.map(detail => detail.pointer)).toContain(pointer)
  })

  test('if it is truncated, or has no boundary', async () => {
    const cut = await send({ file, title: 'x' }, raw => raw.subarray(0, raw.byteLength - 20))
    expect(cut).toMatchObject({ status: 400, body: { message: 'The multipart/form-data body is incomplete' } })
    const { client } = context.workspace
    const options = { raw: 'x', headers: { 'Content-Type': 'multipart/form-data' } }
    expect((await client.post('/v1/assets/ingest', undefined, options)).status).toBe(400)
  })

  test('if its body has another type', async () => {
    const options = { raw: 'a,b', headers: { 'Content-Type': 'text/csv' } }
    expect(await context.workspace.client.post('/v1/assets/ingest', undefined, options)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })
})

describe('an unreadable document fails its ingest and affects no other document', () => {
  const WORD = { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' }
  const bombPart = { name: 'word/document.xml', content: documentXml(''), packed: deflatedSpaces(400) }
  const bad: Record<string, FilePart & { code: string }> = {
    broken: { bytes: pdf({ pages: [['x']] }).subarray(0, 300), name: 'broken.pdf', code: 'DOCUMENT_BROKEN' },
    encrypted: {
      bytes: pdf({ pages: [['x']], encrypted: true }),
      name: 'encrypted.pdf',
      code: 'DOCUMENT_ENCRYPTED',
    },
    bomb: { bytes: docx({ body: '', files: [bombPart] }), name: 'bomb.docx', ...WORD, code: 'DOCUMENT_TOO_LARGE' },
    'bad JSON': { bytes: '{"a": ', name: 'bad.json', code: 'DOCUMENT_BROKEN' },
  }

  test('of each kind, while other documents are being read', async () => {
    const { client } = context.workspace
    const good = Array.from({ length: 4 }, (_, i) =>
      ingestFile(client, { bytes: docx({ body: paragraph(`Good document ${i}`) }), name: `good-${i}.docx`, ...WORD }),
    )
    const sent = await Promise.all(Object.values(bad).map(file => ingestFile(client, file)))
    for (const [i, { code }] of Object.values(bad).entries()) {
      const { status, body } = sent[i]!
      expect(status).toBe(201)
      const error = { code, message: expect.stringMatching(/\S+ \S+/) }
      const job = await jobWith(client, body.job_id ?? '')
      expect(job).toMatchObject({ status: 'failed', failedReason: error.message, nodes: [{ status: 'failed', error }] })
      expect((await readEvents(client, job.job_id)).at(-1)?.data).toMatchObject({ type: 'error', code })
      expect((await readAsset(client, body.asset.id)).extraction).toEqual({ status: 'failed', error })
      const stored = await fetch(`${context.stack.baseUrl}/v1/assets/${body.asset.id}/content`, {
        headers: { Authorization: `Bearer ${context.workspace.api_key}` },
      })
      expect([stored.status, (await stored.bytes()).byteLength]).toEqual([200, body.asset.size])
    }
    for (const { body } of await Promise.all(good))
      expect((await readAsset(client, body.asset.id)).extraction.status).toBe('ready')
    expect(context.stack.worker.child.exitCode).toBeNull()
  })

  test('is retried when it is ingested again', async () => {
    const { client } = context.workspace
    const file = { bytes: '{"b": ', name: 'again.json' }
    const { body: first } = await ingestFile(client, file)
    await jobWith(client, first.job_id ?? '')
    const again = await ingestFile(client, file)
    expect(again).toMatchObject({
      status: 200,
      body: { asset: { id: first.asset.id, version: 1, extraction: { status: 'processing' } } },
    })
    expect(again.body.job_id).not.toBe(first.job_id)
    expect((await jobWith(client, again.body.job_id ?? '')).status).toBe('failed')
    expect((await readAsset(client, first.asset.id)).extraction.error?.code).toBe('DOCUMENT_BROKEN')
  })
})
