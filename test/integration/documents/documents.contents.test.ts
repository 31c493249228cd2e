import { createHash, randomBytes } from 'node:crypto'
import { type ArtifactView, type AssetView, ingest, ingestFile } from '../../support/documents/documents.ts'
import type { TestWorkspace } from '../../support/stack/stack.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

async function download(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', principal = context.workspace }: { method?: string; principal?: TestWorkspace } = {},
) {
  const response = await fetch(context.stack.baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${principal.api_key}`, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    bytes,
    text: bytes.toString('utf8'),
    header: (name: string) => response.headers.get(name),
  }
}

describe('the content of an asset', () => {
  /** Longer than one slice, and not a multiple of the slice size. */
  const content = `${'0123456789abcdef'.repeat(60_000)}end`
  const tag = `"${createHash('sha256').update(content).digest('hex')}"`
  let at: string
  let asset: AssetView

  beforeAll(async () => {
    const made = await ingestFile(context.workspace.client, {
      bytes: content,
      name: 'Größe "1" – 日本.txt',
      type: 'text/plain',
    })
    asset = made.body.asset
    at = `/v1/assets/${asset.id}/content`
  })

  test("is sent unchanged, as a file that browsers don't display", async () => {
    const { status, text, header } = await download(at)
    expect([status, text === content]).toEqual([200, true])
    expect(header('content-type')).toBe('text/plain; charset=utf-8')
    expect(header('content-length')).toBe(String(content.length))
    expect(header('content-disposition')).toBe(
      `attachment; filename="Gr??e \\"1\\" ? ??.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%20%E2%80%93%20%E6%97%A5%E6%9C%AC.txt`,
    )
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect([header('etag'), header('accept-ranges')]).toEqual([tag, 'bytes'])
    expect(header('cache-control')).toBe('private, no-cache')
  })

  test('is not sent again to a client that has it cached', async () => {
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, bytes, header } = await download(at, { 'If-None-Match': known })
      expect([status, bytes.byteLength, header('etag')]).toEqual([304, 0, tag])
    }
    expect((await download(at, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=262140-262150', 262_140, 262_150],
    ['bytes=5-', 5, content.length - 1],
    ['bytes=-3', content.length - 3, content.length - 1],
    ['bytes=-99999999', 0, content.length - 1],
    ['bytes=960000-99999999999999999999', 960_000, content.length - 1],
  ])('%s returns a part of the content', async (range, from, to) => {
    const { status, text, header } = await download(at, { Range: range })
    expect([status, header('content-range')]).toEqual([206, `bytes ${from}-${to}/${content.length}`])
    expect(header('content-length')).toBe(String(to - from + 1))
    expect(text).toBe(content.slice(from, to + 1))
  })

  test.each(['bytes=960003-', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s is beyond the end of the content',
    async range => {
      const { status, text, header } = await download(at, { Range: range })
      expect([status, header('content-range')]).toEqual([416, `bytes */${content.length}`])
      expect(JSON.parse(text)).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
    },
  )

  test.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=5-2', 'bytes=a-b', 'bytes=-'])(
    '%s returns the whole content',
    async range => {
      expect((await download(at, { Range: range })).status).toBe(200)
    },
  )

  test('a range applies to the version that the caller already has', async () => {
    expect((await download(at, { Range: 'bytes=0-0', 'If-Range': tag })).status).toBe(206)
    expect((await download(at, { Range: 'bytes=0-0', 'If-Range': '"other"' })).status).toBe(200)
  })

  test('HEAD returns its headers without its bytes', async () => {
    const { status, bytes, header } = await download(at, {}, { method: 'HEAD' })
    expect([status, bytes.byteLength, header('content-length')]).toEqual([200, 0, String(content.length)])
    const part = await download(at, { Range: 'bytes=1-2' }, { method: 'HEAD' })
    expect([part.status, part.header('content-length')]).toEqual([206, '2'])
  })

  test('is hidden from other workspaces', async () => {
    const stranger = await context.stack.workspace()
    expect((await download(at, {}, { principal: stranger })).status).toBe(404)
    const own = await ingest(stranger.client, { text: content })
    expect(own.status).toBe(201)
  })

  test('a caller who disconnects early causes no error', async () => {
    for (let i = 0; i < 5; i++) {
      const leave = new AbortController()
      const headers = { Authorization: `Bearer ${context.workspace.api_key}` }
      const response = await fetch(context.stack.baseUrl + at, { headers, signal: leave.signal })
      await response.body?.getReader().read()
      leave.abort()
    }
    expect((await download(at)).text).toBe(content)
  })

  test('older versions remain available', async () => {
    const source_key = `versions-${randomBytes(6).toString('hex')}`
    const first = await ingest(context.workspace.client, { text: 'one', source_key })
    await ingest(context.workspace.client, {
      content_base64: 'eyJhIjoxfQ==',
      mime_type: 'application/json',
      source_key,
    })
    const path = `/v1/assets/${first.body.asset.id}/content`
    expect((await download(path)).text).toBe('{"a":1}')
    expect((await download(path)).header('content-type')).toBe('application/json; charset=utf-8')
    expect((await download(`${path}?version=1`)).text).toBe('one')
    expect((await download(`${path}?version=3`)).status).toBe(404)
    expect((await download(`${path}?version=x`)).status).toBe(400)
  })
})

describe('an artifact', () => {
  const write = (fields: object = {}) =>
    context.workspace.client.post<ArtifactView>('/v1/artifacts', {
      title: 'Minutes',
      content: '# Minutes\n\nAnn, Bob',
      ...fields,
    })

  test('is created and edited as text, and keeps its earlier versions', async () => {
    const { client } = context.workspace
    const made = await write({ path: '/minutes', metadata: { year: 2026 }, description: 'of the board' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        type: 'artifacts',
        version: 1,
        media_type: 'text/markdown',
        size: 19,
        path: '/minutes',
        metadata: { year: 2026 },
      },
    })
    const at = `/v1/artifacts/${made.body.id}`
    expect(made.headers.get('location')).toBe(at)
    const appended = await client.patch<ArtifactView>(at, { content: { append: ', Eve' }, note: 'Eve came late' })
    expect(appended).toMatchObject({ status: 200, body: { version: 2, description: 'of the board' } })
    const edits = [
      { find: 'Ann', replace: 'Anna' },
      { find: 'Bob', replace: 'Rob' },
    ]
    expect((await client.patch<ArtifactView>(at, { content: { edits }, expected_version: 2 })).body.version).toBe(3)
    const renamed = await client.patch<ArtifactView>(at, {
      merge: { title: 'Minutes of May', document: { metadata: { month: 5 } } },
    })
    expect(renamed.body).toMatchObject({ version: 4, title: 'Minutes of May', metadata: { year: 2026, month: 5 } })

    const now = await download(`${at}/content`)
    expect(now.text).toBe('# Minutes\n\nAnna, Rob, Eve')
    expect(now.header('content-type')).toBe('text/markdown; charset=utf-8')
    expect(now.header('content-disposition')).toBe(`attachment; filename=${made.body.slug}.md`)
    expect((await download(`${at}/content?version=2`)).text).toBe('# Minutes\n\nAnn, Bob, Eve')
    expect((await download(`${at}/content?version=1`, { Range: 'bytes=2-8' })).text).toBe('Minutes')
    expect((await client.get<ArtifactView>(`${at}?version=1`)).body).toMatchObject({
      version: 1,
      title: 'Minutes',
      size: 19,
    })
    const { body: history } = await client.get<{ data: { version: number; note: string | null }[] }>(`${at}/history`)
    expect(history.data.map(({ version, note }) => [version, note])).toEqual([
      [4, null],
      [3, null],
      [2, 'Eve came late'],
      [1, null],
    ])
    expect((await client.patch(at, { content: { replace: 'x' } }, { headers: { 'If-Match': '"1"' } })).status).toBe(409)

    expect((await client.del(at)).status).toBe(204)
    expect((await download(`${at}/content`)).status).toBe(404)
    expect((await client.post(`${at}/restore`)).body).toMatchObject({ version: 4, deleted_at: null })
    const { body: listed } = await client.get<{ data: ArtifactView[] }>('/v1/artifacts?limit=1')
    expect(listed.data).toMatchObject([{ id: made.body.id, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  test('may be empty and of any type, and is sent as a download', async () => {
    const made = await write({ content: '', media_type: 'text/html' })
    const empty = await download(`/v1/artifacts/${made.body.id}/content`)
    expect([empty.status, empty.text, empty.header('content-length')]).toEqual([200, '', '0'])
    expect(empty.header('content-disposition')).toMatch(/^attachment/)
    expect((await download(`/v1/artifacts/${made.body.id}/content`, { Range: 'bytes=0-' })).status).toBe(416)
  })

  test('is created once per key', async () => {
    const headers = { 'Idempotency-Key': `artifact-${randomBytes(6).toString('hex')}` }
    const make = (content: string) =>
      context.workspace.client.post<ArtifactView>('/v1/artifacts', { title: 'Once', content }, { headers })
    const [first, again] = [await make('a'), await make('a')]
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
    expect((await make('b')).status).toBe(409)
  })

  test.each([
    [{ content: undefined }, '/content'],
    [{ content: 5 }, '/content'],
    [{ media_type: 'text/html\r\nX-Evil: 1' }, '/media_type'],
    [{ path: '/a/../b' }, '/path'],
    [{ metadata: { a: [] } }, '/metadata/a'],
    [{ sha256: 'x' }, '/sha256'],
    [{ slug: 'Not A Slug' }, '/slug'],
    [{ title: '' }, '/title'],
  ])('%j is rejected', async (fields, pointer) => {
    const { status, body } = await write(fields)
    expect([status, body]).toMatchObject([
      400,
      { details: expect.arrayContaining([expect.objectContaining({ pointer })]) },
    ])
  })

  test('an invalid edit changes nothing', async () => {
    const { client } = context.workspace
    const { body } = await write({ content: 'one two one' })
    const edit = (find: string) =>
      client.patch(`/v1/artifacts/${body.id}`, {
        content: {
          edits: [
            { find: 'two', replace: '2' },
            { find, replace: '' },
          ],
        },
      })
    for (const find of ['three', 'one'])
      expect(await edit(find)).toMatchObject({ status: 400, body: { details: [{ pointer: '/content/edits/1/find' }] } })
    expect((await download(`/v1/artifacts/${body.id}/content`)).text).toBe('one two one')
  })

  describe('a text of 5 MB', () => {
    const MAX = 5_000_000
    /** Each character takes six bytes in JSON, and does not count as a word in the index. */
    const longest = '\v'.repeat(MAX)

    test('is accepted by each artifact route, and one more byte returns 413', async () => {
      const { client } = context.workspace
      const made = await write({ content: longest })
      expect(made).toMatchObject({ status: 201, body: { size: MAX } })
      const at = `/v1/artifacts/${made.body.id}`
      const patchAt = `/v1/resources/artifacts/${made.body.id}/patch`
      const edits = [{ find: longest, replace: 'short' }]
      expect(await client.patch(at, { content: { edits } })).toMatchObject({
        status: 200,
        body: { version: 2, size: 5 },
      })
      expect(await client.post(patchAt, { content: { replace: longest } })).toMatchObject({
        status: 200,
        body: { version: 3, document: { size: MAX } },
      })
      const byCatalog = { title: 'By the catalog', document: { content: longest } }
      expect((await client.post('/v1/resources/artifacts', byCatalog)).status).toBe(201)

      const refusal = {
        status: 413,
        body: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining(String(MAX)) },
      }
      expect(await client.patch(at, { content: { append: '.' } })).toMatchObject(refusal)
      expect(await write({ content: `${longest}.` })).toMatchObject(refusal)
      expect(await write({ content: longest.repeat(2) })).toMatchObject(refusal)
      expect((await client.get(at)).body).toMatchObject({ version: 3 })
    })

    test('leaves the limit for other body fields unchanged', async () => {
      const { client } = context.workspace
      const instructions = 'x'.repeat(1_100_000)
      for (const [path, body] of [
        ['/v1/resources/neurons', { title: 'Long', document: { instructions } }],
        ['/v1/artifacts', { title: 'Long', content: 'x', description: instructions }],
      ] as const)
        expect(await client.post(path, body)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    })
  })
})

describe('the catalog for the same rows', () => {
  test('creates artifacts with their content, and refers asset creation to ingestion', async () => {
    const { client } = context.workspace
    const made = await client.post<{ id: string; document: object }>('/v1/resources/artifacts', {
      title: 'By the catalog',
      document: { content: 'text' },
    })
    expect(made).toMatchObject({ status: 201, body: { document: { size: 4, media_type: 'text/markdown' } } })
    expect((await download(`/v1/artifacts/${made.body.id}/content`)).text).toBe('text')
    for (const document of [undefined, {}, { content: 7 }]) {
      const refused = await client.post('/v1/resources/artifacts', { title: 'x', document })
      expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer: '/document/content' }] } })
    }
    expect(await client.post('/v1/resources/assets', { title: 'x', document: {} })).toMatchObject({
      status: 400,
      body: { message: 'New assets must be created with POST /v1/assets/ingest' },
    })
  })

  test('does not change fields that are derived from the content', async () => {
    const { client } = context.workspace
    const { body } = await ingest(client, { text: `fixed ${randomBytes(6).toString('hex')}`, title: 'Fixed' })
    const patch = (kind: string, id: string, envelope: object) =>
      client.post<{ version: number }>(`/v1/resources/${kind}/${id}/patch`, envelope)
    const { id } = body.asset
    const sha256 = '0'.repeat(64)
    const source = { op: 'add', path: '/document/source_key', value: 'x' }
    for (const envelope of [
      { merge: { document: { sha256 } } },
      { ops: [source] },
      { merge: { document: { size: null } } },
    ])
      expect(await patch('assets', id, envelope)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await patch('assets', id, { content: { replace: 'x' } })).status).toBe(400)
    expect(await patch('assets', id, { merge: { title: 'Moved', path: '/b' } })).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
    expect((await client.get<AssetView>(`/v1/assets/${id}`)).body).toMatchObject({ title: 'Moved', path: '/b' })
    const artifact = await client.post<ArtifactView>('/v1/artifacts', { title: 'A', content: 'a' })
    expect(await client.patch(`/v1/artifacts/${artifact.body.id}`, { merge: { document: { sha256 } } })).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/document/sha256' }] },
    })
  })
})
