import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pdf } from '../../activities/documents/fixtures/pdf.ts'
import { ingestFile } from '../../support/documents/documents.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'
import type { SearchReply } from '../../../contract/search/search.ts'

const CLI = join(import.meta.dirname, '../../../api/admin.ts')

const context = useOwnStack()

const search = (body: object) => context.workspace.client.post<SearchReply>('/v1/search', body)
const titles = async (body: object) => (await search(body)).body.matches.map(({ title }) => title)

const skill = (title: string, instructions: string, more: object = {}) =>
  context.workspace.client.post<{ id: string }>('/v1/resources/skills', { title, document: { instructions }, ...more })

/** Waits until the worker's indexer has indexed the title. */
const found = (query: string, title: string) =>
  waitUntil(async () => (await titles({ query, mode: 'keyword' })).includes(title))

beforeAll(async () => {
  await skill('Harbour rules', 'Boats must be moored before midnight. The harbour master collects the fee.')
  await skill('Baking bread', 'Knead the dough, let it rise for two hours, then bake it.', { path: '/kitchen/bread' })
  await skill('Kitchen safety', 'Knives are kept in the drawer.', { path: '/kitchen' })
  await found('drawer', 'Kitchen safety')
})

test('new content is soon found by words, by meaning and in hybrid mode', async () => {
  const { status, body } = await search({ query: 'when do ships have to be tied up' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ mode: 'hybrid', took_ms: expect.any(Number) })
  expect(body.matches[0]).toMatchObject({
    title: 'Harbour rules',
    type: 'skills',
    chunk: { ordinal: 0, text: expect.stringContaining('moored'), highlight: expect.any(String) },
  })
  expect(await titles({ query: 'harbour master', mode: 'keyword' })).toEqual(['Harbour rules'])
  expect((await titles({ query: 'making a loaf', mode: 'semantic' }))[0]).toBe('Baking bread')
})

test('a match contains its location in the document and the available metadata', async () => {
  const { client } = context.workspace
  const bytes = pdf({
    pages: ['Cranes', 'Lamps'].map(what =>
      Array.from({ length: 60 }, (_, i) => `${what} of the port have the sign ${what}${i}.`),
    ),
    info: { Title: 'Port manual' },
  })
  const form = { path: '/manuals', metadata: '{"season":"summer"}' }
  const { asset } = (await ingestFile(client, { bytes, name: 'manual.pdf' }, form)).body
  await found('Lamps59', 'Port manual')
  for (const [query, page] of [
    ['Cranes0', 1],
    ['Lamps59', 2],
  ]) {
    const { body } = await search({ query, types: ['assets'], mode: 'keyword' })
    expect(body.matches).toMatchObject([
      { media_type: 'application/pdf', metadata: { season: 'summer' }, chunk: { page } },
    ])
  }
  const [rules] = (await search({ query: 'harbour master', mode: 'keyword' })).body.matches
  expect(rules).toMatchObject({ media_type: null, chunk: { page: null } })
  expect(await titles({ query: 'quantum chromodynamics', min_score: 0.9 })).toEqual([])
  const refused = await client.post('/v1/search', { query: 'a', min_score: 2 })
  expect(refused.body.details).toMatchObject([{ pointer: '/min_score' }])
  await client.del(`/v1/assets/${asset.id}`)
  await waitUntil(async () => (await titles({ query: 'Lamps59', mode: 'keyword' })).length === 0)
})

test('filters apply in every mode', async () => {
  for (const mode of ['hybrid', 'keyword', 'semantic']) {
    const filters = { path_prefix: '/kitchen' }
    const inKitchen = await titles({ query: 'knives dough boats', mode, filters })
    expect(inKitchen.toSorted()).toEqual(['Baking bread', 'Kitchen safety'])
    expect(await titles({ query: 'knives dough boats', mode, types: ['neuron'] })).toEqual([])
    const filters_ = { created_before: '2001-01-01T00:00:00Z' }
    expect(await titles({ query: 'knives dough boats', mode, filters: filters_ })).toEqual([])
  }
  expect(await titles({ query: 'knives dough boats', offset: 10_000 })).toEqual([])
  expect(await titles({ query: 'knives dough boats', limit: 1 })).toHaveLength(1)
})

describe('invalid input is rejected with its location', () => {
  const cases: [string, object, string][] = [
    ['no query', {}, '/query'],
    ['an empty query', { query: '  ' }, '/query'],
    ['a query of 10,001 characters', { query: 'x'.repeat(10_001) }, '/query'],
    ['an unknown type', { query: 'a', types: ['unicorns'] }, '/types/0'],
    ['an unknown mode', { query: 'a', mode: 'psychic' }, '/mode'],
    ['a path above the root', { query: 'a', filters: { path_prefix: '/a/../b' } }, '/filters/path_prefix'],
    ['an invalid time', { query: 'a', filters: { created_after: 'yesterday' } }, '/filters/created_after'],
    ['an object as metadata', { query: 'a', filters: { metadata: { a: { $ne: 1 } } } }, '/filters/metadata/a'],
    ["a query in another engine's format", { query: { match_all: {} } }, '/query'],
    ['an unknown filter', { query: 'a', filters: { workspace_id: 'x' } }, '/filters/workspace_id'],
    ['an excessive limit', { query: 'a', limit: 201 }, '/limit'],
    ['a negative offset', { query: 'a', offset: -1 }, '/offset'],
  ]
  test.each(cases)('%s', async (_, body, pointer) => {
    const answer = await context.workspace.client.post('/v1/search', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details).toContainEqual({ pointer, message: expect.any(String) })
  })
})

test('unusual queries do not fail', async () => {
  const odd = [
    'the of and',
    '\u0001\u0002 harbour',
    '"unbalanced (',
    'harbour*~^ AND OR NOT',
    '${1+1}',
    '🦑',
    '%_\\',
    'x'.repeat(10_000),
  ]
  for (const query of odd) {
    const { status, body } = await search({ query })
    expect({ query, status, isList: Array.isArray(body.matches) }).toEqual({ query, status: 200, isList: true })
  }
  expect(await titles({ query: 'the of and', mode: 'keyword' })).toEqual([])
})

test('a whole abstract is a valid query, and the response reports that only its start was used', async () => {
  const { client } = context.workspace
  const query = 'how long does dough rise '.repeat(400)
  expect(query).toHaveLength(10_000)
  for (const mode of ['hybrid', 'keyword', 'semantic']) {
    const { body } = await search({ query, mode, types: ['skills'] })
    expect({ mode, title: body.matches[0]?.title, truncated: body.truncated }).toEqual({
      mode,
      title: 'Baking bread',
      truncated: true,
    })
  }
  // 240 words are a valid query for Elasticsearch, but contain more tokens than the model reads.
  const words = 'how does internationally unleavened sourdough rise? '.repeat(40)
  for (const [mode, truncated] of [
    ['hybrid', true],
    ['keyword', undefined],
    ['semantic', true],
  ] as const)
    expect({ mode, truncated: (await search({ query: words, mode })).body.truncated }).toEqual({ mode, truncated })
  expect((await search({ query: 'how long does dough rise' })).body).not.toHaveProperty('truncated')
  const { body } = await client.get<{ job_id: string }>(`/v1/search?query=${query.trim().replaceAll(' ', '+')}`)
  expect((await jobWith(client, body.job_id)).result).toMatchObject({ truncated: true })
  const nodes = [{ id: 'look', type: 'search', with: { query: '${input.query}' } }]
  const run = await startRun(client, pathway(nodes), { query })
  expect((await jobWith(client, run)).result).toMatchObject({ truncated: true })
})

test('a search job returns the same result as a direct search', async () => {
  const { client } = context.workspace
  const query = 'harbour ${input.query} master'
  const accepted = await client.get<{ job_id: string }>(
    `/v1/search?query=${encodeURIComponent(query)}&types=skills,neuron`,
  )
  expect(accepted).toMatchObject({
    status: 202,
    body: { job_id: expect.stringMatching(/^search-/), status: 'pending' },
  })
  const job = await jobWith(client, accepted.body.job_id)
  const now = await search({ query, types: ['skills', 'neurons'] })
  expect(job).toMatchObject({ kind: 'search', status: 'completed', title: `Search: ${query}` })
  expect((job.result as unknown as SearchReply).matches).toEqual(now.body.matches)
  const events = await readEvents(client, accepted.body.job_id)
  expect(events.at(-1)?.data).toMatchObject({ type: 'complete', result: { mode: 'hybrid' } })
  expect((await client.get('/v1/search')).status).toBe(400)
  expect((await client.get('/v1/search?query=a&types=unicorns')).status).toBe(400)
})

test("a pathway searches for text from its input, within the requester's brains", async () => {
  const { client } = context.workspace
  const definition = pathway(
    [
      { id: 'look', type: 'search', with: { query: '${input.question}', types: ['skills'], limit: 1 } },
      { id: 'done', type: 'end', output: '${nodes.look.output.matches[0].title}' },
    ],
    'look > done',
  )
  const run = await startRun(client, definition, { question: 'how long does dough rise' })
  expect((await jobWith(client, run)).result).toBe('Baking bread')
  const wrong = await startRun(client, pathway([{ id: 'look', type: 'search', with: { query: '${input.q}' } }]), {
    q: '',
  })
  expect(await jobWith(client, wrong)).toMatchObject({
    status: 'failed',
    failedReason: expect.stringContaining('query'),
  })
})

test('another workspace finds none of the content', async () => {
  const stranger = await context.stack.workspace()
  for (const mode of ['hybrid', 'keyword', 'semantic']) {
    const { body } = await stranger.client.post<SearchReply>('/v1/search', { query: 'harbour master', mode })
    expect(body.matches).toEqual([])
  }
})

test('an operator can rebuild the index from the command line', async () => {
  const reindex = (env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [CLI, 'reindex', '--json'], {
      env: { PATH: process.env.PATH, ...context.stack.env, ...env },
      timeout: 60_000,
    })
  const { stdout } = await reindex()
  expect(JSON.parse(stdout)).toEqual({ index: expect.stringContaining('-resources-'), resources: 4, refused: 0 })
  expect(await titles({ query: 'harbour master', mode: 'keyword' })).toEqual(['Harbour rules'])
  await expect(reindex({ ELASTICSEARCH_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Search is currently unavailable'),
  })
})

test('the built-in search finds documents, but neither skills nor the instructions of neurons', async () => {
  const { client } = context.workspace
  const note = { title: 'Harbour note', content: 'The harbour master retires in May.' }
  const neuron = { title: 'Harbour clerk', instructions: 'Never mention the harbour master.' }
  await client.post('/v1/reflexes', { title: 'Built-in', slug: 'builtin', source: 'builtin' })
  await client.post('/v1/neurons', neuron)
  await client.post('/v1/artifacts', note)
  for (const { title } of [note, neuron]) await found('harbour master', title)
  const call = <T>(name: string, args: object) => client.post<T>(`/v1/tools/${name}/call`, { arguments: args })
  const { body } = await call<{ output: { matches: { title: string }[] } }>('search', { query: 'harbour master' })
  expect(body.output.matches.map(({ title }) => title)).toEqual([note.title])
  for (const [name, args] of [
    ['search', { query: 'harbour', types: ['neurons'] }],
    ['read_resource', { type: 'neurons', id: 'harbour-clerk' }],
  ] as const)
    expect(await call(name, args)).toMatchObject({ status: 400, body: { code: 'TOOL_ARGUMENTS_INVALID' } })
  expect((await call('read_resource', { type: 'skills', id: 'harbour-rules' })).status).toBe(200)
})
