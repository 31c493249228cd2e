import { createHash, randomBytes } from 'node:crypto'
import { docx, paragraph } from '../../activities/documents/fixtures/docx.ts'
import { pdf } from '../../activities/documents/fixtures/pdf.ts'
import { xlsx } from '../../activities/documents/fixtures/xlsx.ts'
import { findContent } from '../../../data/documents/contents-store.ts'
import { findExtractions } from '../../../data/documents/extractions-store.ts'
import { type FilePart, ingest, ingestFile, type IngestReply, readAsset } from '../../support/documents/documents.ts'
import type { Answer } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { SearchReply } from '../../../contract/search/search.ts'

const context = useStack()

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** Text that no request has sent before. */
const fresh = (text = 'A note') => `${text} ${randomBytes(6).toString('hex')}`

const inWorkspace: (typeof context.stack.database.db)['inWorkspace'] extends (id: string, work: infer W) => unknown
  ? (work: W) => Promise<unknown>
  : never = work => context.stack.database.db.inWorkspace(context.workspace.id, work)

/** Returns the text of a document that search indexes. */
async function downloadText(content: string): Promise<string> {
  const found = await inWorkspace(async tx => {
    const [extraction] = await findExtractions(tx, [content])
    return (await findContent(tx, extraction?.text_sha256 ?? ''))?.toString('utf8')
  })
  return String(found)
}

test('a batch of documents is ingested, and each document can be found', async () => {
  const { client } = context.workspace
  const sent = [
    { text: fresh('First'), title: 'One' },
    { text: '' },
    { text: fresh('Third'), mime_type: 'text/markdown' },
  ]
  type Result = { status: number; asset?: { id: string }; job_id?: string | null; code?: string }
  const batch = () =>
    client.post<{ results: Result[] }>(
      '/v1/assets/ingest',
      { documents: sent },
      { headers: { 'Idempotency-Key': 'a batch' } },
    )
  const { status, body } = await batch()
  expect([status, body.results]).toMatchObject([
    207,
    [
      { status: 201, job_id: null, asset: { title: 'One', extraction: { status: 'ready' } } },
      { status: 400, code: 'VALIDATION_ERROR' },
      { status: 201, job_id: null },
    ],
  ])
  const again = await batch()
  expect(again.body.results.map(({ asset }) => asset?.id)).toEqual(body.results.map(({ asset }) => asset?.id))
  expect(again.body.results[0]).toMatchObject({ status: 201, asset: { extraction: { status: 'ready' } } })
})

describe('a document in each format is stored unchanged and read', () => {
  const files: Record<
    string,
    FilePart & { media_type: string; pages?: number; isReadAtOnce?: boolean; title?: string }
  > = {
    'plain text': {
      name: 'note.txt',
      bytes: 'The harbour opens at nine.',
      media_type: 'text/plain',
      isReadAtOnce: true,
    },
    Markdown: {
      name: 'guide.md',
      bytes: '# Harbour\n\nIt opens at nine.',
      media_type: 'text/markdown',
      isReadAtOnce: true,
      title: 'Harbour',
    },
    HTML: {
      name: 'page.html',
      bytes: '<html><head><title>Port</title></head><body><p>The harbour opens at nine.</p></body></html>',
      media_type: 'text/html',
      title: 'Port',
    },
    CSV: { name: 'hours.csv', bytes: 'place,opens\nharbour,nine\n', media_type: 'text/csv', isReadAtOnce: true },
    JSON: {
      name: 'hours.json',
      bytes: '{"harbour":{"opens":"nine"}}',
      media_type: 'application/json',
      isReadAtOnce: true,
    },
    PDF: {
      name: 'hours.pdf',
      bytes: pdf({ pages: [['The harbour'], ['opens at nine.']], info: { Title: 'Hours' } }),
      media_type: 'application/pdf',
      pages: 2,
      title: 'Hours',
    },
    XLSX: {
      name: 'hours.xlsx',
      bytes: xlsx({
        Hours: [
          ['place', 'opens'],
          ['harbour', 'nine'],
        ],
      }),
      media_type: SHEET,
    },
    EML: {
      name: 'hours.eml',
      bytes: 'From: ann@example.com\r\nSubject: Hours\r\n\r\nThe harbour opens at nine.',
      media_type: 'message/rfc822',
      title: 'Hours',
    },
    DOCX: { name: 'hours.docx', bytes: docx({ body: paragraph('The harbour opens at nine.') }), media_type: WORD },
  }

  test.each(Object.entries(files))('%s, as a file', async (_, { media_type, pages, isReadAtOnce, title, ...file }) => {
    const { client } = context.workspace
    const made = await ingestFile(client, file, { path: '/formats', metadata: '{"season":"summer"}' })
    const { asset, job_id } = made.body
    expect([made.status, asset.extraction.status]).toEqual([201, isReadAtOnce ? 'ready' : 'processing'])
    expect(made.headers.get('location')).toBe(`/v1/assets/${asset.id}`)
    const [name] = (file.name ?? '').split('.')
    expect(asset).toMatchObject({
      type: 'assets',
      title: isReadAtOnce ? (title ?? name) : name,
      path: '/formats',
      version: 1,
      media_type,
      metadata: { season: 'summer' },
      file_name: file.name,
      size: Buffer.from(file.bytes).byteLength,
      sha256: sha256(file.bytes),
    })
    if (isReadAtOnce) expect(job_id).toBeNull()
    else
      expect(await jobWith(client, job_id ?? '')).toMatchObject({
        status: 'completed',
        kind: 'ingest',
        title: name,
        asset_id: asset.id,
        requester: 'user:ann',
        result: { asset_id: asset.id, version: 1, media_type, pages: pages ?? null },
        nodes: [{ key: 'extract', status: 'completed' }],
      })
    const read = await readAsset(client, asset.id)
    expect(read.extraction).toMatchObject({ status: 'ready', ...(pages && { pages }) })
    expect(read).toMatchObject({ title: title ?? name, version: 1 })
    expect((await client.get(`/v1/assets/${asset.id}?version=1`)).body).toMatchObject({ title: title ?? name })
    const text = await downloadText(asset.sha256)
    expect(text).toMatch(/harbour/i)
    expect(read.extraction.characters).toBe(text.length)
  })

  test.each(Object.entries(files))('%s, as JSON', async (_, { media_type, name, bytes }) => {
    const { client } = context.workspace
    const content_base64 = Buffer.from(bytes).toString('base64')
    const made = await ingest(client, { content_base64, file_name: name, source_key: `json/${name}` })
    expect(made).toMatchObject({ status: 201, body: { asset: { media_type, source_key: `json/${name}` } } })
    expect((await readAsset(client, made.body.asset.id)).extraction.status).toBe('ready')
  })

  test.each([
    ['from its front matter', 'text/markdown', '---\ntitle: Port rules\nauthor: Ann\n---\n\n# Other\n', 'Port rules'],
    ['from its field', 'application/json', '{"title": "Closing hours", "x": 1}', 'Closing hours'],
    ['from its file, because its own title is that of a program', 'text/html', '<title>Untitled</title>Text', 'named'],
  ])('a document gets the title %s unless the request sets one', async (_, mime_type, start, title) => {
    const { client } = context.workspace
    const ingestAs = async (more: object) => {
      const content_base64 = Buffer.from(`${start}${mime_type === 'application/json' ? '' : fresh()}`).toString(
        'base64',
      )
      const { body } = await ingest(client, {
        content_base64,
        mime_type,
        file_name: 'named.x',
        source_key: fresh(),
        ...more,
      })
      return (await readAsset(client, body.asset.id)).title
    }
    expect(await ingestAs({})).toBe(title)
    expect(await ingestAs({ title: 'Set' })).toBe('Set')
  })

  test('a text without a title gets its first words as the title', async () => {
    const { client } = context.workspace
    const text = `\n## Opening *hours*\n\n${fresh()} ü 😀`
    const { body } = await ingest(client, { text, mime_type: 'text/markdown; charset=latin1' })
    expect(body.asset).toMatchObject({ title: 'Opening hours', media_type: 'text/markdown', charset: 'utf-8' })
    const { slug } = body.asset
    expect(slug).toBe('opening-hours')
    expect((await client.get(`/v1/assets/${slug}`)).body).toMatchObject({ id: body.asset.id })
    await readAsset(client, body.asset.id)
    expect(await downloadText(sha256(text))).toContain('ü 😀')
  })
})

describe('content that already exists', () => {
  test('the same bytes form one asset and are ingested once', async () => {
    const { client } = context.workspace
    const text = fresh()
    const first = await ingest(client, { text, title: 'One' })
    await readAsset(client, first.body.asset.id)
    const again = await ingest(client, { text })
    expect(again).toMatchObject({
      status: 200,
      body: { job_id: null, updated: [], asset: { id: first.body.asset.id } },
    })
    expect(again.body.asset).toMatchObject({ title: 'One', version: 1, extraction: { status: 'ready' } })
    const brain_id = await context.workspace.newBrain()
    const elsewhere = await ingestFile(client, { bytes: text, name: 'text.txt' }, { brain_id })
    expect(elsewhere).toMatchObject({ status: 201, body: { asset: { brain_id, extraction: { status: 'ready' } } } })
    expect((await ingest(client, { text, source_key: fresh('key') })).status).toBe(201)
  })

  test('different fields with the same bytes change the asset, and the response lists the changes, in each form', async () => {
    const { client } = context.workspace
    const [text, source_key] = [fresh(), fresh('key')]
    const about = { title: 'One', path: '/a', description: 'old', metadata: { n: 1 } }
    const first = await ingest(client, { text, source_key, ...about })
    const { id } = first.body.asset
    expect(first.body.updated).toEqual([])
    await readAsset(client, id)
    const json = await ingest(client, {
      text,
      source_key,
      title: 'Two',
      path: '/b',
      description: null,
      metadata: { n: 1 },
    })
    expect(json).toMatchObject({
      status: 200,
      body: { job_id: null, asset: { id, version: 2, extraction: { status: 'ready' } } },
    })
    expect(json.body.updated.toSorted()).toEqual(['description', 'path', 'title'])
    expect(json.body.asset).toMatchObject({ title: 'Two', slug: first.body.asset.slug, path: '/b' })

    const form = await ingestFile(client, { bytes: text, name: 'three.txt' }, { source_key, metadata: '{"n":3}' })
    expect(form).toMatchObject({ status: 200, body: { asset: { id, version: 3, title: 'Two', metadata: { n: 3 } } } })
    expect(form.body.updated.toSorted()).toEqual(['file_name', 'metadata'])

    const documents = [
      { text, source_key, title: 'Four' },
      { text, source_key, title: 'Four' },
    ]
    const batch = await client.post<{ results: IngestReply[] }>('/v1/assets/ingest', { documents })
    expect(batch.body.results).toMatchObject([
      { status: 200, updated: ['title'], asset: { id, version: 4, title: 'Four' } },
      { status: 200, updated: [], asset: { id, version: 4 } },
    ])
    expect((await client.get(`/v1/assets/${id}?version=1`)).body).toMatchObject({ title: 'One', path: '/a' })
    expect(await ingest(client, { text, path: 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/path' }] },
    })
  })

  test('the same bytes in two folders are two documents, and another file with the same name in a folder is a new version', async () => {
    const { client } = context.workspace
    const [bytes, name, other] = [fresh('form'), 'form.txt', fresh('filled')]
    const [a, b] = [fresh('/a').replace(' ', ''), fresh('/b').replace(' ', '')]
    const store = (path: string, bytes: string, name: string) => ingestFile(client, { bytes, name }, { path })
    const first = await store(a, bytes, name)
    const second = await store(b, bytes, name)
    expect([first.status, second.status, second.body.asset.path, second.body.updated]).toEqual([201, 201, b, []])
    const renamed = await store(a, bytes, 'copy.txt')
    const ids = [first, second, renamed].map(({ body }) => body.asset.id)
    expect([renamed.status, new Set(ids).size]).toEqual([201, 3])
    expect(await store(a, bytes, name)).toMatchObject({ status: 200, body: { updated: [], asset: { id: ids[0] } } })
    const next = await store(b, other, name)
    expect(next).toMatchObject({ status: 201, body: { asset: { id: ids[1], version: 2, path: b } } })
    expect((await client.get(`/v1/assets/${ids[0]}`)).body).toMatchObject({
      path: a,
      version: 1,
      sha256: sha256(bytes),
    })
    const moved = await client.post('/v1/resources/move', { resource_ids: [ids[0]], path: b })
    expect(moved.status).toBe(200)
    expect((await store(a, bytes, name)).status).toBe(201)
    expect(await store(b, other, name)).toMatchObject({ status: 200, body: { updated: [], asset: { id: ids[1] } } })
  })

  test('the same bytes with another type or charset are ingested again', async () => {
    const { client } = context.workspace
    const bytes = Buffer.concat([Buffer.from(`${fresh('name')},`), Buffer.from([0xd6, 0xd0]), Buffer.from('\n1,2\n')])
    const store = (type: string, more = {}) =>
      ingestFile(client, { bytes, name: 'table.csv' }, { path: '/types', mime_type: type, ...more })
    const latin = await store('text/plain; charset=latin1')
    expect(latin).toMatchObject({ status: 201, body: { asset: { media_type: 'text/plain', charset: 'windows-1252' } } })
    const gbk = await store('text/csv; charset=gbk')
    const { id } = latin.body.asset
    expect(gbk).toMatchObject({
      status: 200,
      body: { asset: { id, version: 2, media_type: 'text/csv', charset: 'gbk' } },
    })
    expect(gbk.body.updated.toSorted()).toEqual(['charset', 'media_type'])
    const utf16 = await store('text/csv; charset=gbk')
    expect(utf16.body).toMatchObject({ updated: [], asset: { id, version: 2 } })
    const records = (await inWorkspace(tx => findExtractions(tx, [gbk.body.asset.sha256]))) as { media_type: string }[]
    expect(records.map(({ media_type }) => media_type).toSorted()).toEqual([
      'text/csv; charset=gbk',
      'text/plain; charset=windows-1252',
    ])
  })

  test('a document in an unsupported format is stored, listed and downloaded', async () => {
    const { client } = context.workspace
    const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(200)])
    const { status, body } = await ingestFile(client, { bytes, name: 'photo.png' })
    expect([status, body.job_id]).toEqual([201, null])
    expect(body.asset).toMatchObject({ media_type: 'image/png', extraction: { status: 'none' } })
    expect((await client.get(`/v1/assets/${body.asset.id}`)).body).toMatchObject({ extraction: { status: 'none' } })
    const content = await client.get(`/v1/assets/${body.asset.id}/content`)
    expect(content.headers.get('content-type')).toBe('image/png')
  })

  test('bytes known only to another brain are treated as new until their job has ended', async () => {
    const { workspace } = context
    const [one, other] = await Promise.all([
      workspace.boundTo(workspace.brain_id),
      workspace.boundTo(await workspace.newBrain()),
    ])
    const mime_type = 'text/html'
    const text = fresh()
    const { body: theirs } = await ingest(one, { text, mime_type })
    await readAsset(one, theirs.asset.id)
    const sent = [text, fresh()].map(text => ingest(other, { text, mime_type }))
    const [known, unknown] = (await Promise.all(sent)) as [Answer<IngestReply>, Answer<IngestReply>]
    for (const { status, body } of [known, unknown]) {
      expect([status, body.asset.extraction]).toEqual([201, { status: 'processing', job_id: body.job_id }])
      expect((await readAsset(other, body.asset.id)).extraction.status).toBe('ready')
      expect(await jobWith(other, body.job_id ?? '')).toMatchObject({ status: 'completed' })
    }
  })

  test('new bytes from the same source create a version, and the same bytes change nothing', async () => {
    const { client } = context.workspace
    const source_key = fresh('https://example.com/handbook')
    const [one, two] = [fresh('one'), fresh('two')]
    const first = await ingest(client, { text: one, source_key, title: 'Handbook', path: '/a', metadata: { n: 1 } })
    const { id } = first.body.asset
    await readAsset(client, id)
    expect(await ingest(client, { text: one, source_key, title: 'Handbook' })).toMatchObject({
      status: 200,
      body: { job_id: null, updated: [], asset: { id, version: 1, title: 'Handbook' } },
    })
    const second = await ingestFile(client, { bytes: two, name: 'hand.md' }, { source_key })
    expect(second).toMatchObject({ status: 201, body: { asset: { id, version: 2, title: 'Handbook', path: '/a' } } })
    expect(second.body.asset).toMatchObject({
      media_type: 'text/markdown',
      file_name: 'hand.md',
      sha256: sha256(two),
      metadata: { n: 1 },
      source_key,
    })
    expect((await readAsset(client, id)).extraction.status).toBe('ready')
    expect((await client.get(`/v1/assets/${id}?version=1`)).body).toMatchObject({ version: 1, sha256: sha256(one) })
    const { body: history } = await client.get<{ data: { version: number }[] }>(`/v1/assets/${id}/history`)
    expect(history.data.map(({ version }) => version)).toEqual([2, 1])
  })

  test('32 simultaneous copies create one asset and one job', async () => {
    const { client } = context.workspace
    const [text, source_key] = [fresh(), fresh('key')]
    const mime_type = 'text/html'
    for (const body of [
      { text, mime_type },
      { text, source_key, mime_type },
    ]) {
      const answers = await Promise.all(Array.from({ length: 32 }, () => ingest(client, body)))
      expect(new Set(answers.map(({ body }) => body.asset.id)).size).toBe(1)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(31)
      expect(new Set(answers.flatMap(({ body }) => body.job_id ?? [])).size).toBe(1)
    }
  })

  test('an ingest recreates a deleted asset, and the asset can be restored unless another asset has its source', async () => {
    const { client } = context.workspace
    const [text, source_key] = [fresh(), fresh('key')]
    const { body: first } = await ingest(client, { text, source_key })
    expect((await client.del(`/v1/assets/${first.asset.id}`)).status).toBe(204)
    expect((await client.get(`/v1/assets/${first.asset.id}`)).status).toBe(404)
    expect((await client.get(`/v1/assets/${first.asset.id}/content`)).status).toBe(404)
    const { body: second, status } = await ingest(client, { text, source_key })
    expect([status, second.asset.id === first.asset.id]).toEqual([201, false])
    expect(await client.post(`/v1/assets/${first.asset.id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    await client.del(`/v1/assets/${second.asset.id}`)
    expect(await client.post(`/v1/assets/${first.asset.id}/restore`)).toMatchObject({
      status: 200,
      body: { id: first.asset.id, deleted_at: null },
    })
  })

  test('a repeated key gets the same response, and is rejected with another document', async () => {
    const { client } = context.workspace
    const headers = { 'Idempotency-Key': fresh('key') }
    const bytes = fresh()
    const form = { bytes, name: 'a.html' }
    const first = await ingestFile(client, form, { title: 'Keyed' }, headers)
    const again = await ingestFile(client, form, { title: 'Keyed' }, headers)
    expect([first.status, again.status]).toEqual([201, 201])
    expect([again.body.asset.id, again.body.job_id]).toEqual([first.body.asset.id, first.body.job_id])
    const other = await ingestFile(client, { ...form, bytes: `${bytes}!` }, { title: 'Keyed' }, headers)
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const key = { 'Idempotency-Key': fresh('key') }
    const text = fresh()
    const [one, two] = [
      await ingest(client, { text, title: 'T' }, { headers: key }),
      await ingest(client, { title: 'T', text }, { headers: key }),
    ]
    expect([two.status, two.body.asset.id]).toEqual([201, one.body.asset.id])
    expect((await ingest(client, { text: `${text}!`, title: 'T' }, { headers: key })).status).toBe(409)
  })
})

test('ingested content is found by search', async () => {
  const { client } = context.workspace
  const word = `quay${randomBytes(4).toString('hex')}`
  const bytes = pdf({ pages: [['First page'], [`The boats lie at ${word}.`]] })
  const { body } = await ingestFile(client, { bytes, name: 'boats.pdf' })
  const found = await waitUntil(async () => {
    const answer = await client.post<SearchReply>('/v1/search', { query: word, mode: 'keyword' })
    return answer.body.matches[0]
  })
  expect(found).toMatchObject({ resource_id: body.asset.id, type: 'assets', title: 'boats', version: 1 })
})

test('assets are visible to principals in their brain and hidden from other workspaces', async () => {
  const { client } = context.workspace
  const { body } = await ingest(client, { text: fresh(), title: 'Secret plan' })
  const stranger = await context.stack.workspace()
  for (const path of ['', '/content', '/history', '?version=1'])
    expect((await stranger.client.get(`/v1/assets/${body.asset.id}${path}`)).status).toBe(404)
  expect((await stranger.client.del(`/v1/assets/${body.asset.id}`)).status).toBe(404)
  const own = await ingest(stranger.client, { text: 'The harbour opens at nine.' })
  expect(own.status).toBe(201)
  expect((await stranger.client.get<{ data: { id: string }[] }>('/v1/assets')).body.data).toMatchObject([
    { id: own.body.asset.id },
  ])
})

test('the job for an ingest is an ordinary job, except that it cannot be paused', async () => {
  const { client } = context.workspace
  const { body } = await ingest(client, { text: fresh(), mime_type: 'text/html' })
  const jobId = body.job_id ?? ''
  expect(jobId).toMatch(/^ingest-/)
  const events = (await readEvents(client, jobId)).map(({ data }) => data)
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['status', 'node']))
  expect(events.at(-1)).toMatchObject({ type: 'complete', result: { asset_id: body.asset.id, version: 1 } })
  const { body: listed } = await client.get<{ jobs: { job_id: string }[] }>('/v1/jobs?kind=ingest&limit=200')
  expect(listed.jobs.map(({ job_id }) => job_id)).toContain(jobId)
  const { body: pathways } = await client.get<{ total: number }>('/v1/jobs?kind=pathway')
  expect(pathways.total).toBe(0)
  expect((await client.post(`/v1/jobs/${jobId}/cancel`)).status).toBe(400)
})
