import { gzipSync } from 'node:zlib'
import { encodeForm, ingest, ingestFile } from '../support/documents/documents.ts'
import { useOwnStack } from '../support/stack/use-stack.ts'

const context = useOwnStack()

const MAX = 52_428_800
/** Returns a text with the given number of bytes. */
const long = (bytes: number) => Buffer.alloc(bytes, 'a line of text\n')

describe('the limit of 50 MB', () => {
  test('applies to the document, whether sent as a file or as JSON', async () => {
    const { client } = context.workspace
    const name = 'long.txt'
    const file = await ingestFile(client, { bytes: long(MAX + 1), name })
    expect(file).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    const json = await ingest(client, { content_base64: long(MAX + 1).toString('base64'), file_name: name })
    expect(json).toMatchObject({ status: 413, body: { message: expect.stringContaining(String(MAX)) } })
    const much = await ingest(client, { content_base64: 'A'.repeat(MAX * 2) })
    expect(much).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    expect((await ingest(client, { text: 'and it goes on' })).status).toBe(201)
  })

  test('applies after decompression', async () => {
    const { client } = context.workspace
    const bomb = new Uint8Array(gzipSync(JSON.stringify({ text: ' '.repeat(3 * MAX) })))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    expect((await client.post('/v1/assets/ingest', undefined, { raw: bomb, headers })).status).toBe(413)
    const { raw, type } = await encodeForm({ file: { bytes: long(2 * MAX), name: 'a.txt' } })
    const form = { 'Content-Type': type, 'Content-Encoding': 'gzip' }
    const zipped = new Uint8Array(gzipSync(raw))
    expect((await client.post('/v1/assets/ingest', undefined, { raw: zipped, headers: form })).status).toBe(413)
    const broken = await client.post('/v1/assets/ingest', undefined, { raw: zipped.subarray(0, 5_000), headers: form })
    expect(broken).toMatchObject({ status: 400, body: { message: 'The body is not valid gzip' } })
  })

  test('accepts a document at the limit, even compressed', async () => {
    const { client } = context.workspace
    const { raw, type } = await encodeForm({ file: { bytes: long(MAX), name: 'whole.txt' } })
    const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' }
    const made = await client.post<{ asset: { id: string; size: number } }>('/v1/assets/ingest', undefined, {
      raw: new Uint8Array(gzipSync(raw, { level: 1 })),
      headers,
    })
    expect(made).toMatchObject({ status: 201, body: { asset: { size: MAX } } })
    const again = await ingest(client, { content_base64: long(MAX).toString('base64'), file_name: 'whole.txt' })
    expect([again.status, again.body.asset.id]).toEqual([200, made.body.asset.id])
  })
})
