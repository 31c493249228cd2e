import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createMemoryBudget } from '../../api/fairness/memory-budget.ts'
import { parseJsonUpload } from '../../api/uploads/json-upload.ts'
import { AppError, PayloadTooLarge, Unavailable, ValidationError } from '../../domain/shared/errors.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'
import { encodeForm } from '../support/documents/documents.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type AppUnderTest, startApp } from './app-under-test.ts'
import { KEY, OTHER_KEY } from './services.ts'
import type { AssetView } from '../../contract/documents/asset.ts'
import type { DocumentsService } from '../../services/documents/documents.ts'
import type { IngestRequest } from '../../services/documents/ingest.ts'

const ASSET: AssetView = {
  id: '0192f0c4-0000-7000-8000-0000000000a1',
  slug: 'a',
  type: 'assets',
  title: 'A',
  path: '/',
  scope: 'workspace',
  brain_id: null,
  is_active: true,
  version: 1,
  description: null,
  media_type: 'text/plain',
  size: 1,
  sha256: '0',
  metadata: {},
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  deleted_at: null,
  extraction: { status: 'processing' },
}

const MAX = 1_000_000
let app: AppUnderTest
let calls: [IngestRequest, Idempotency | undefined][] = []
/** Blocks an ingest until the promise resolves. */
let gate: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  const ingest: DocumentsService['ingest'] = async (_, request, idempotency) => {
    calls.push([request, idempotency])
    await gate
    return { asset: ASSET, job_id: 'ingest-1', is_new: true, updated: [] }
  }
  const ingestBatch: DocumentsService['ingestBatch'] = (principal, documents, idempotency) =>
    Promise.all(documents.map(async one => (one instanceof AppError ? one : ingest(principal, one, idempotency))))
  app = await startApp({ documents: { ingest, ingestBatch } as unknown as DocumentsService })
})
beforeEach(() => {
  calls = []
})
afterAll(() => app.drain(0))

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const lastCall = () => calls.at(-1) as [IngestRequest, Idempotency | undefined]
const received = () => lastCall()[0].content
const send = (raw: string | Uint8Array, headers: Record<string, string>) =>
  app.client.post<{ message: string; details?: { pointer: string }[] }>('/v1/assets/ingest', undefined, {
    raw,
    headers,
  })
const sendJson = (body: object, headers: Record<string, string> = {}) =>
  send(JSON.stringify(body), { 'Content-Type': 'application/json', ...headers })

describe('content arrives unchanged', () => {
  const large = randomBytes(900_000)

  test.each([
    ['short', randomBytes(100)],
    ['of one byte', Buffer.from([0])],
    ['long, parsed in a thread', large],
  ])('encoded in base64, %s', async (_, bytes) => {
    expect((await sendJson({ content_base64: bytes.toString('base64'), title: 'T' })).status).toBe(201)
    expect(lastCall()[0]).toMatchObject({ from: 'content_base64', title: 'T' })
    expect(Buffer.from(received().bytes).equals(bytes)).toBe(true)
    expect(received().sha256).toBe(sha256(bytes))
  })

  test.each([['short ü 😀'], [`long ü 😀 ${'x'.repeat(800_000)}`]])('sent as text', async text => {
    expect((await sendJson({ text, metadata: { a: 1 } })).status).toBe(201)
    expect(lastCall()[0]).toMatchObject({ from: 'text', metadata: { a: 1 } })
    expect(Buffer.from(received().bytes).toString('utf8')).toBe(text)
    expect(received().sha256).toBe(sha256(text))
  })

  const ENCODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, identity: (raw: Uint8Array) => raw }
  test.each(Object.entries(ENCODINGS))('sent as a file, with the encoding %s', async (encoding, encode) => {
    const { raw, type } = await encodeForm({
      title: 'Ü',
      file: { bytes: large, name: 'a/ü "b".bin', type: 'text/csv' },
    })
    const headers = { 'Content-Type': type, 'Content-Encoding': encoding }
    expect((await send(new Uint8Array(encode(raw)), headers)).status).toBe(201)
    expect(lastCall()[0]).toMatchObject({ from: 'file', title: 'Ü', file_name: 'ü "b".bin', mime_type: 'text/csv' })
    expect(Buffer.from(received().bytes).equals(large)).toBe(true)
    expect(received().sha256).toBe(sha256(large))
  })

  test.each([
    ['filename="a.pdf"', '', { file_name: 'a.pdf' }],
    [
      'filename="a.csv"',
      'Content-Type: text/csv;charset=gbk\r\n',
      { file_name: 'a.csv', mime_type: 'text/csv;charset=gbk' },
    ],
    ['filename=""', 'Content-Type: application/octet-stream\r\n', { mime_type: 'application/octet-stream' }],
    ["filename*=UTF-8''%C3%BC.md", '', { file_name: 'ü.md' }],
    ['filename="C:\\\\docs\\\\a.md"', '', { file_name: 'a.md' }],
  ])('sent as a part with %s %s', async (name, type, expected) => {
    const raw = `--b\r\nContent-Disposition: form-data; name="file"; ${name}\r\n${type}\r\nwords\r\n--b--\r\nepilogue`
    expect((await send(raw, { 'Content-Type': 'multipart/form-data; boundary=b' })).status).toBe(201)
    const { content, from, ...fields } = lastCall()[0]
    expect([from, Buffer.from(content.bytes).toString(), fields]).toEqual(['file', 'words', expected])
  })

  test("form fields override the file's properties", async () => {
    const { raw, type } = await encodeForm({
      file: { bytes: 'x', name: 'a.txt' },
      file_name: 'b.md',
      mime_type: 'text/plain',
    })
    await send(raw, { 'Content-Type': type })
    expect(lastCall()[0]).toMatchObject({ file_name: 'b.md', mime_type: 'text/plain' })
  })
})

test('the same document with the same key counts as the same request, with any multipart boundary', async () => {
  const file = { bytes: randomBytes(5_000), name: 'a.bin' }
  const hashes = []
  for (const fields of [
    { title: 'a', file },
    { title: 'a', file },
    { file: { ...file, bytes: 'other' }, title: 'a' },
  ]) {
    const { raw, type } = await encodeForm(fields)
    await send(raw, { 'Content-Type': type, 'Idempotency-Key': 'k' })
    hashes.push(lastCall()[1]?.body_hash)
  }
  expect(hashes[1]).toBe(hashes[0])
  expect(hashes[2]).not.toBe(hashes[0])
})

describe('a batch', () => {
  const sendBatch = (...documents: unknown[]) =>
    app.client.post<{ results: { status: number; details?: { pointer: string }[] }[] }>('/v1/assets/ingest', {
      documents,
    })

  test.each([['small'], ['x'.repeat(600_000)]])(
    'may contain many documents, each treated as if sent alone',
    async text => {
      const { status, body } = await sendBatch({ text, title: 'A' }, { content_base64: 'aGk=', file_name: 'a.md' })
      expect([status, body.results]).toMatchObject([
        200,
        [{ status: 201, asset: ASSET, job_id: 'ingest-1' }, { status: 201 }],
      ])
      expect(calls.map(([request]) => request)).toMatchObject([{ from: 'text', title: 'A' }, { file_name: 'a.md' }])
      expect(calls.map(([{ content }]) => Buffer.from(content.bytes).toString())).toEqual([text, 'hi'])
    },
  )

  test('reports a problem for each invalid document, and accepts the others', async () => {
    const { status, body } = await sendBatch({ content_base64: '%' }, { text: 'a' }, { text: 'b', other: 1 }, {}, null)
    expect([status, calls.length]).toEqual([207, 1])
    const seen = body.results.map(one => [one.status, one.details?.map(({ pointer }) => pointer)])
    expect(seen).toEqual([
      [400, ['/content_base64']],
      [201, undefined],
      [400, ['/other']],
      [400, ['']],
      [400, ['']],
    ])
  })

  test('is rejected as a whole if it is invalid', async () => {
    const documents = Array.from({ length: 101 }, () => ({ text: 'a' }))
    for (const body of [{ documents: [] }, { documents }, { documents: {} }, { documents: [{ text: 'a' }], text: 'b' }])
      expect((await sendJson(body)).status).toBe(400)
    expect(calls).toEqual([])
  })

  test('reserves memory for all of its documents until the response is sent', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const batch = { documents: Array.from({ length: 3 }, () => ({ text: 'x'.repeat(300_000) })) }
    const open = Array.from({ length: 4 }, () => sendJson(batch))
    await waitUntil(() => calls.length === 12)
    expect((await sendJson(batch)).status).toBe(503)
    resolve()
    gate = Promise.resolve()
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})

test('an invalid form returns 400, with the name of the part', async () => {
  const part = (name: string, content = 'x', more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
  const file = part('file', 'words', '; filename="a.txt"')
  const cases: [string, string | undefined][] = [
    [`${file}${file}--b--`, '/file'],
    [`${file}${part('other', 'x', '; filename="b"')}--b--`, '/other'],
    [`${file}${part('title')}${part('title')}--b--`, '/title'],
    [`${file}${part('title', 'x'.repeat(65_537))}--b--`, '/title'],
    [`${file}${part('metadata', '{')}--b--`, '/metadata'],
    [`${file}${part('metadata', '{"p_id":7615917337495251231}')}--b--`, '/metadata/p_id'],
    [`${file}${part('metadata', String.raw`{"a":"\ud83d"}`)}--b--`, '/metadata/a'],
    [`${file}${part('title', 'a\0b')}--b--`, '/title'],
    [`${part('file', 'words', '; filename="a\0.txt"')}--b--`, '/file_name'],
    [`${part('title')}--b--`, '/file'],
    [file, undefined],
    [`preamble`, undefined],
    [`${Array.from({ length: 30 }, (_, at) => part(`f${at}`)).join('')}--b--`, undefined],
  ]
  for (const [raw, pointer] of cases) {
    const { status, body } = await send(raw, { 'Content-Type': 'multipart/form-data; boundary=b' })
    expect([status, body.details?.[0]?.pointer]).toEqual([400, pointer])
  }
  expect((await send(file, { 'Content-Type': 'multipart/form-data' })).status).toBe(400)
  expect(calls).toEqual([])
})

describe('a large invalid body gets the same errors as a small one', () => {
  const padding = { title: 'x'.repeat(100), description: 'y'.repeat(600_000) }

  test('with the reason and the location of the error', async () => {
    const cases: [object | string, string][] = [
      [{ ...padding, content_base64: '%%%%' }, '/content_base64'],
      [{ ...padding, text: 'a\u0000b' }, '/text'],
      [{ content_base64: btoa('x'.repeat(600_000)), text: 5 }, '/text'],
    ]
    for (const [body, pointer] of cases) {
      const { status, body: refused } = await sendJson(body as object)
      expect([status, refused.details?.map(detail => detail.pointer)]).toEqual([400, expect.arrayContaining([pointer])])
    }
    const broken = await send(`{"text": "${'x'.repeat(600_000)}", }`, { 'Content-Type': 'application/json' })
    expect(broken).toMatchObject({ status: 400, body: { message: expect.stringContaining('not valid JSON') } })
    expect(calls).toEqual([])
  })

  test('above the limit, it returns 413, based on the decompressed length', async () => {
    const form = await encodeForm({ file: { bytes: Buffer.alloc(MAX + 1), name: 'a' } })
    expect((await send(form.raw, { 'Content-Type': form.type })).status).toBe(413)
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(40 * MAX, 0x20)))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    expect((await send(bomb, headers)).status).toBe(413)
    expect((await sendJson({ text: 'and it goes on' })).status).toBe(201)
  })
})

/** A workspace can hold at most four of these at a time. */
async function sendLarge(key = KEY) {
  const { raw, type } = await encodeForm({ file: { bytes: Buffer.alloc(900_000, 'x'), name: 'a.txt' } })
  const headers = { 'Content-Type': type, Authorization: `Bearer ${key}` }
  return app.client.post<{ code: string }>('/v1/assets/ingest', undefined, { raw, headers })
}

/** Starts an upload of 900,000 bytes, and sends the first `bytes` bytes. */
async function beginUpload(type: string, bytes: number): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = `POST /v1/assets/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: ${type}`
  const start = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  socket.write(`${head}\r\nContent-Length: 900000\r\n\r\n${start}${'x'.repeat(bytes - start.length)}`)
  return socket
}

const TYPES = ['multipart/form-data; boundary=x', 'application/json']

test('documents beyond the workspace limit are rejected with a retry delay', async () => {
  const open = Promise.withResolvers<void>()
  gate = open.promise
  const held = Array.from({ length: 4 }, () => sendLarge())
  await waitUntil(() => calls.length === 4)
  const refused = await sendLarge()
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', retryAfter: expect.any(Number) } })
  open.resolve()
  for (const { status } of await Promise.all(held)) expect(status).toBe(201)
  expect((await sendLarge()).status).toBe(201)
})

test('aborted uploads release their memory', async () => {
  for (const type of TYPES) {
    for (let i = 0; i < 5; i++) {
      const socket = await beginUpload(type, 800_000)
      socket.destroySoon()
      await once(socket, 'close')
    }
  }
  expect(calls).toEqual([])
  await waitUntil(async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendLarge()))
    return answers.every(({ status }) => status === 201)
  })
})

test('uploads that are waiting for their last byte leave memory for other workspaces, and time out', async () => {
  const sockets = await Promise.all(Array.from({ length: 5 }, (_, i) => beginUpload(TYPES[i % 2] ?? '', 899_999)))
  const statuses = sockets.map(async socket => String(await once(socket, 'data')).split(' ')[1])
  expect(await Promise.race(statuses)).toBe('503')
  expect((await sendLarge(OTHER_KEY)).status).toBe(201)
  expect((await Promise.all(statuses)).filter(status => status === '408')).toHaveLength(4)
  expect((await sendLarge()).status).toBe(201)
  for (const socket of sockets) socket.destroy()
})

describe('a body without its contents', () => {
  const long = 'x'.repeat(1_001)
  const parse = (body: object) => parseJsonUpload(Buffer.from(JSON.stringify(body)), 1_000)

  test.each([
    { text: long },
    { documents: [{ text: long }, { content_base64: btoa(long) }, { content_base64: `${long}!` }] },
    { content: long },
    { document: { content: long } },
    { content: { replace: long } },
    { content: { edits: [{ find: long, replace: long }] } },
  ])('is limited separately, regardless of content length (%#)', body => {
    expect(parse(body)).toBeDefined()
  })

  test.each([
    { text: long, title: long },
    { documents: [{ text: long, metadata: { long } }] },
    { documents: [], title: long },
    { content: { other: long } },
    { content: { edits: Array.from({ length: 500 }, () => ({})) } },
    { document: { content: [long] } },
    [long],
  ])('returns 413 above the limit (%#)', body => {
    expect(() => parse(body)).toThrow(PayloadTooLarge)
  })
})

describe('base64', () => {
  const read = (content_base64: string) =>
    parseJsonUpload(Buffer.from(JSON.stringify({ content_base64 })), MAX).contents.content_base64?.bytes

  test('decodes arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        expect(Buffer.from(read(Buffer.from(bytes).toString('base64')) ?? []).equals(bytes)).toBe(true)
      }),
    )
  })

  test('accepts exactly the strings that are valid encodings, in both alphabets, with or without padding', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('A', 'Q', 'z', '0', '+', '/', '=', '-', '_', ' ', '\n'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(nearly, text => {
        const padded = Buffer.from(text, 'base64').toString('base64')
        const toUrl = (form: string) => form.replaceAll('+', '-').replaceAll('/', '_')
        const forms = [padded, padded.replaceAll('=', '')].flatMap(form => [form, toUrl(form)])
        if (forms.includes(text)) expect(read(text)).toBeDefined()
        else expect(() => read(text)).toThrow(ValidationError)
      }),
    )
  })
})

test('the total upload memory is never exceeded, and leaves a share to the next workspace', () => {
  const MAX_MEMORY = 1_000
  const step = fc.record({ workspace: fc.nat({ max: 3 }), bytes: fc.nat({ max: 400 }), releases: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const memory = createMemoryBudget(MAX_MEMORY)
      const workspaces = Array.from({ length: 4 }, (_, i) => ({ reservation: memory.open(`w${i}`), reserved: 0 }))
      for (const { workspace, bytes, releases } of steps) {
        const current = workspaces[workspace]!
        if (releases) {
          current.reservation.release()
          current.reserved = 0
        }
        const free = MAX_MEMORY - workspaces.reduce((sum, { reserved }) => sum + reserved, 0)
        if (current.reserved + bytes > 2 * (free - bytes)) {
          expect(() => current.reservation.reserve(bytes)).toThrow(Unavailable)
        } else {
          current.reservation.reserve(bytes)
          current.reserved += bytes
        }
      }
      const next = memory.open('next')
      next.reserve(Math.floor(MAX_MEMORY / 3 ** 4 / 2))
    }),
  )
})

test('a single workspace may use two thirds of the memory', () => {
  const reservation = createMemoryBudget(900).open('w')
  reservation.reserve(600)
  expect(() => reservation.reserve(1)).toThrow(Unavailable)
  reservation.release()
  reservation.reserve(600)
})
