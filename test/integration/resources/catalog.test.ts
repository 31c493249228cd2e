import { RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

interface Resource {
  id: string
  slug: string
  type: string
  title: string
  version: number
  document: Record<string, unknown>
  snapshot?: Record<string, unknown>
  updated_at: string
  deleted_at: string | null
}

interface Page {
  data: { version: number; delta: { changed: string[]; ops: object[] } | null }[]
  pagination: { total: number; has_more: boolean }
}

const definition = {
  schema: 'pathway/1',
  nodes: [{ id: 'done', type: 'end', output: 'fine' }],
  edges: [],
}

/** A valid document for each kind. Assets are created by ingestion, artifacts with their content. */
const DOCUMENTS: Record<string, object> = {
  neurons: { instructions: 'Answer briefly.', neuron_type: 'agent' },
  pathways: { definition },
  receptors: { target: { type: 'pathway', ref: 'invoice' } },
  reflexes: { tools: [{ name: 'search', description: 'Looks something up' }] },
  skills: { instructions: 'How to read an invoice.' },
  triggers: {
    trigger_type: 'schedule',
    schedule: { cron: '0 8 * * *' },
    target: { type: 'pathway', ref: 'invoice' },
  },
  meetings: { participants: ['Ann', 'Bob'] },
  stakeholder_maps: {},
}

/** Returns the request body for a kind: its document or, for a map, the fields next to it. */
const bodyOf = (kind: string) => ({
  document: DOCUMENTS[kind],
  ...(kind === 'stakeholder_maps' && { snapshot: { stakeholders: [{ id: 'ann', name: 'Ann' }] } }),
})

const create = (kind: string, fields: object = {}) =>
  context.workspace.client.post<Resource>(`/v1/resources/${kind}`, {
    title: `A ${kind}`,
    ...bodyOf(kind),
    ...fields,
  })

/** Returns a patch for the head and the description. Maps accept only deltas. */
const toPatch = (kind: string, head: object, document?: object) =>
  kind === 'stakeholder_maps'
    ? { delta: document ?? {}, ...head }
    : { merge: { ...head, ...(document && { document }) } }

/** The pathway to which receptors and triggers refer, in any brain. */
beforeAll(() => create('pathways', { slug: 'invoice', scope: 'workspace' }))

describe.each(Object.keys(DOCUMENTS))('%s', kind => {
  const catalog = `/v1/resources/${kind}`

  test('are created, read, changed, compared, deleted and restored', async () => {
    const { client } = context.workspace
    const made = await create(kind, { title: `The ${kind}` })
    expect([made.status, made.headers.get('location')]).toEqual([201, `${catalog}/${made.body.id}`])
    expect(made.body).toMatchObject({ type: kind, title: `The ${kind}`, version: 1, ...bodyOf(kind) })
    const at = `${catalog}/${made.body.id}`

    const patched = await client.post<Resource>(`${at}/patch`, toPatch(kind, {}, { description: 'new' }))
    expect(patched).toMatchObject({ status: 200, body: { version: 2, document: { description: 'new' } } })
    const rename =
      kind === 'stakeholder_maps'
        ? toPatch(kind, { title: 'Renamed' })
        : { ops: [{ op: 'replace', path: '/title', value: 'Renamed' }] }
    const renamed = await client.post<Resource>(`${at}/patch`, { ...rename, note: 'a better name' })
    expect(renamed).toMatchObject({ status: 200, body: { version: 3, title: 'Renamed' } })

    const again = { ...rename, note: 'the same name' }
    expect(await client.post<Resource>(`${at}/patch`, again)).toMatchObject({ status: 200, body: { version: 3 } })
    expect((await client.post(`${at}/patch`, { ...again, expected_version: 2 })).status).toBe(409)

    const { body: history } = await client.get<Page>(`${at}/history`)
    expect(history.pagination.total).toBe(3)
    expect(history.data.map(({ version, delta }) => [version, delta?.changed])).toEqual([
      [3, ['title']],
      [2, ['description']],
      [1, undefined],
    ])
    expect((await client.get(`${at}/versions/1`)).body).toMatchObject({ title: `The ${kind}`, version: 1 })
    expect((await client.get(`${at}/diff?from=1&to=live`)).body).toMatchObject({
      from: 1,
      to: 3,
      changed: expect.arrayContaining(['title', 'description']),
    })

    expect((await client.del(at)).status).toBe(204)
    for (const path of ['', '/history', '/versions/1', '/diff?from=1&to=live'])
      expect((await client.get(`${at}${path}`)).status).toBe(404)
    expect((await client.post<Resource>(`${at}/restore`)).body).toMatchObject({ version: 3, deleted_at: null })
    const first = { title: `The ${kind}`, ...bodyOf(kind) }
    const back = await client.post<Resource>(`${at}/restore`, { version: 1 })
    expect(back).toMatchObject({ status: 200, body: { version: 4, ...first } })
    expect(back.body.document.description).toBe(null)
    expect((await client.post<Resource>(`${at}/restore`, { version: 4 })).body.version).toBe(4)
    expect((await client.get<Page>(`${at}/history`)).body.data[0]).toMatchObject({ note: 'Restored from version 1' })
    expect((await client.get(`${catalog}/${made.body.slug}@3`)).body).toMatchObject({ title: 'Renamed', version: 3 })
    expect(await client.post(`${at}/restore`, { version: 9 })).toMatchObject({
      status: 404,
      body: { message: 'Version 9 does not exist' },
    })
    await client.del(at)
    const both = await client.post<Resource>(`${at}/restore`, { version: 3, note: 'after all' })
    expect(both.body).toMatchObject({ version: 5, title: 'Renamed', deleted_at: null })
    const singular = await client.get<Resource>(`/v1/resources/${singularOf(kind)}/${made.body.slug}`)
    expect(singular.body.id).toBe(made.body.id)
  })

  test('are read in full at an earlier version', async () => {
    const { client, brain_id } = context.workspace
    const { body: made } = await create(kind, { title: `First ${kind}`, path: '/first', scope: 'workspace' })
    const at = `${catalog}/${made.id}`
    const later = {
      title: `Second ${kind}`,
      slug: `second-${kind.replaceAll('_', '-')}`,
      path: '/second',
      is_active: false,
    }
    const placed = { scope: 'brain', brain_id }
    const changed = await client.post<Resource>(`${at}/patch`, toPatch(kind, { ...later, ...placed }))
    expect(changed).toMatchObject({ status: 200, body: { version: 2, ...later, ...placed } })
    const { body: third } = await client.post<Resource>(`${at}/patch`, toPatch(kind, { is_active: true }))

    const reads = await Promise.all(listVersionReads(kind, made.id).map(read => client.get<Resource>(read(1))))
    for (const { status, body } of reads) {
      const shared = Object.fromEntries(Object.entries(made).filter(([field]) => field in body))
      expect([status, body]).toMatchObject([200, shared])
      expect(Object.keys(shared)).toEqual(expect.arrayContaining(HEAD))
    }
    expect((await client.get(`${at}/versions/2`)).body).toMatchObject({ version: 2, ...later, ...placed })
    expect((await client.get(`${at}/versions/3`)).body).toEqual(third)
    expect((await client.get(`${at}/diff?from=1&to=2`)).body).toMatchObject({
      changed: expect.arrayContaining([...Object.keys(later), ...Object.keys(placed)]),
    })
  })

  test('in another workspace are not found', async () => {
    const { body } = await create(kind, { title: `Private ${kind}` })
    const stranger = await context.stack.workspace()
    for (const path of ['', '/history', '/versions/1', '/diff?from=1&to=1'])
      expect((await stranger.client.get(`${catalog}/${body.id}${path}`)).status).toBe(404)
    expect((await stranger.client.post(`${catalog}/${body.id}/patch`, toPatch(kind, { title: 'Mine' }))).status).toBe(
      404,
    )
  })
})

const HEAD = ['id', 'slug', 'title', 'path', 'scope', 'brain_id', 'is_active', 'version', 'created_at', 'deleted_at']

/** Lists the URLs of a version: in the catalog and, if it exists, in the product's own format. */
function listVersionReads(kind: string, id: string): ((version: number) => string)[] {
  const reads = [(version: number) => `/v1/resources/${kind}/${id}/versions/${version}`]
  const hasProduct = ['neurons', 'pathways', 'reflexes', 'skills', 'meetings'].includes(kind)
  const product = [
    (version: number) => `/v1/${kind}/${id}?version=${version}`,
    (version: number) => `/v1/${kind}/${id}@${version}`,
  ]
  return hasProduct ? [...reads, ...product] : reads
}

const singularOf = (kind: string) => (kind === 'reflexes' ? 'reflex' : kind.replace(/s$/, ''))

test('versions are compared under each product, and a request that names two versions is rejected', async () => {
  const { client } = context.workspace
  for (const kind of ['neurons', 'pathways', 'receptors', 'reflexes', 'skills', 'meetings']) {
    const { body } = await create(kind, { title: `Compared ${kind}` })
    await client.post(`/v1/resources/${kind}/${body.id}/patch`, { merge: { title: 'Renamed' } })
    const compared = await client.get(`/v1/${kind}/${body.slug}/diff?from=1&to=live`)
    expect(compared).toMatchObject({ status: 200, body: { from: 1, to: 2, changed: ['title'] } })
    const two = await client.get(`/v1/${kind}/${body.slug}@1?version=2`)
    expect(two).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/version', message: 'must be 1, as in the path, or omitted' }] },
    })
    expect((await client.del(`/v1/${kind}/${body.slug}@1`)).status).toBe(404)
  }
})

test('references to a resource are listed, and are returned when it is deleted', async () => {
  const { client } = await context.stack.workspace()
  const make = async (kind: string, slug: string, document: object) => {
    const made = await client.post<Resource>(`/v1/resources/${kind}`, { title: slug, slug, document })
    expect(made).toMatchObject({ status: 201 })
    return made.body
  }
  const graph = (node: object) => ({ definition: { ...definition, nodes: [{ id: 'a', ...node }] } })
  const reflex = await make('reflexes', 'basics', { source: 'builtin' })
  await make('skills', 'manners', { instructions: 'Be kind.' })
  const neuron = await make('neurons', 'desk', {
    skills: ['manners'],
    tools: [{ reflex: reflex.id, names: ['search'] }],
  })
  const inner = graph({ type: 'tool', with: { reflex: 'basics', name: 'search', args: { query: 'desk' } } })
  await make('pathways', 'inner', inner)
  const body = { nodes: [{ id: 'a', type: 'pathway', ref: 'inner@1' }], edges: [] }
  const nested = { id: 'each', type: 'map', items: '${[1]}', body }
  await make('pathways', 'outer', graph(nested))
  await make('pathways', 'desk-question', graph({ type: 'neuron', ref: neuron.id, with: { message: 'inner' } }))
  await make('receptors', 'door', { target: { type: 'pathway', ref: 'inner' } })
  await make('reflexes', 'offer', { source: 'neuron', target: 'desk', tools: [{ name: 'ask_desk' }] })

  const users = async (path: string) => {
    const { status, body } = await client.get<{ data: Resource[]; pagination: { total: number } }>(
      `/v1/${path}/used-by`,
    )
    expect([status, body.pagination.total]).toEqual([200, body.data.length])
    return body.data.map(({ type, slug }) => `${type}/${slug}`).toSorted()
  }
  expect(await users('pathways/inner')).toEqual(['pathways/outer', 'receptors/door'])
  expect(await users('resources/neurons/desk')).toEqual(['pathways/desk-question', 'reflexes/offer'])
  expect(await users('reflexes/basics')).toEqual(['neurons/desk', 'pathways/inner'])
  expect(await users('skills/manners')).toEqual(['neurons/desk'])
  expect(await users('receptors/door')).toEqual([])
  const page = await client.get<Page>('/v1/pathways/inner/used-by?limit=1')
  expect(page.body.pagination).toMatchObject({ total: 2, has_more: true })

  const removed = await client.del('/v1/pathways/inner')
  expect(removed).toMatchObject({
    status: 200,
    body: {
      total: 2,
      used_by: [
        { type: 'receptors', slug: 'door' },
        { type: 'pathways', slug: 'outer', title: 'outer' },
      ],
    },
  })
  expect((await client.del('/v1/resources/receptors/door')).status).toBe(204)
  expect((await client.del('/v1/resources/skills/manners')).body).toMatchObject({ total: 1 })
})

test('data written by a run is kept when a version is restored', async () => {
  const { client } = context.workspace
  const { body } = await create('meetings', { title: 'Kept' })
  const at = `/v1/resources/meetings/${body.id}`
  await client.post(`${at}/patch`, { delta: { segments: [{ seq: 1, text: 'Good morning.' }] } })
  await client.post(`${at}/patch`, { merge: { document: { description: 'later' } } })
  const { body: restored } = await client.post<Resource>(`${at}/restore`, { version: 1 })
  const document = { description: null, transcript: [{ seq: 1, text: 'Good morning.' }] }
  expect(restored).toMatchObject({ version: 4, document })
})

test('every kind can be listed by its singular and plural name', async () => {
  for (const kind of RESOURCE_KINDS) {
    for (const name of [kind, singularOf(kind)])
      expect((await context.workspace.client.get(`/v1/resources/${name}`)).status).toBe(200)
  }
  expect((await context.workspace.client.get('/v1/resources/unicorns')).status).toBe(404)
})

test('the same key creates one resource, and is rejected with another body', async () => {
  const { client } = context.workspace
  const headers = { 'Idempotency-Key': 'make-a-skill' }
  const body = { title: 'Once', document: DOCUMENTS['skills'] }
  const [first, again] = [
    await client.post<Resource>('/v1/resources/skills', body, { headers }),
    await client.post<Resource>('/v1/resources/skills', body, { headers }),
  ]
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  expect((await client.post('/v1/resources/skills', { ...body, title: 'Twice' }, { headers })).status).toBe(409)
})

test('a meeting accepts segments by a delta, and an artifact accepts a text edit', async () => {
  const { client } = context.workspace
  const { body: meeting } = await create('meetings', { title: 'Taken down' })
  const delta = { segments: [{ seq: 1, text: 'Good morning.' }] }
  expect(await client.post(`/v1/resources/meetings/${meeting.id}/patch`, { delta })).toMatchObject({
    status: 200,
    body: { version: 2, document: { transcript: delta.segments } },
  })
  const { body: artifact } = await client.post<Resource>('/v1/artifacts', { title: 'Note', content: 'one' })
  const content = { append: ', two' }
  expect(await client.post(`/v1/resources/artifacts/${artifact.id}/patch`, { content })).toMatchObject({
    status: 200,
    body: { version: 2, document: { size: 8 } },
  })
})

test('the automation graph contains the triggers with their targets', async () => {
  const { client } = await context.stack.workspace()
  const { body: neuron } = await client.post<Resource>('/v1/neurons', { title: 'Clerk' })
  const target = { type: 'neuron', ref: neuron.id }
  const { body: trigger } = await client.post<Resource>('/v1/resources/triggers', {
    title: 'Daily',
    document: { target },
  })
  expect((await client.get('/v1/automations/graph')).body).toMatchObject({
    triggers: [{ id: trigger.id, type: 'triggers' }],
    edges: [{ from: trigger.id, to: target }],
    pagination: { total: 1 },
  })
})

test('when 32 writers send 10 patches each, no patch is lost', async () => {
  const { client } = context.workspace
  const { body } = await create('stakeholder_maps', { title: 'Busy map', snapshot: {} })
  const at = `/v1/resources/stakeholder_map/${body.id}`
  const write = async (writer: number) => {
    for (let n = 0; n < 10; n++) {
      const delta = { stakeholders: { add: [{ id: `w${writer}-${n}`, name: `Person ${writer}/${n}` }] } }
      const answer = await waitUntil(async () => {
        const patched = await client.post(`${at}/patch`, { delta })
        // When too many writers wait for the row, the client retries.
        return patched.status !== 503 && patched
      })
      expect([answer.status, answer.body]).toMatchObject([200, {}])
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)))
  const { body: after } = await client.get<Resource>(at)
  expect(after.version).toBe(1 + 32 * 10)
  expect(after.snapshot?.['stakeholders']).toHaveLength(32 * 10)
  const { body: last } = await client.get<Page>(`${at}/history?limit=200`)
  expect(last.data.map(({ version }) => version)).toEqual(Array.from({ length: 200 }, (_, i) => 321 - i))
})

test('a patch based on a stale version is rejected and changes nothing', async () => {
  const { client } = context.workspace
  const { body } = await create('skills', { title: 'Contended' })
  const at = `/v1/resources/skills/${body.id}`
  const patch = (version: number) =>
    client.post(`${at}/patch`, { merge: { document: { instructions: `v${version}` } }, expected_version: version })
  const answers = await Promise.all(Array.from({ length: 8 }, () => patch(1)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 409),
  ])
  expect((await client.post(`${at}/patch`, { merge: { title: 'x' } }, { headers: { 'If-Match': '"1"' } })).status).toBe(
    409,
  )
  expect((await client.get<Resource>(at)).body.version).toBe(2)
})

describe('an invalid patch is rejected with a pointer', () => {
  const cases: [string, object, string][] = [
    ['no patch format', {}, ''],
    ['two patch formats', { merge: {}, delta: {} }, ''],
    ['an operation on nothing', { ops: [{ op: 'remove', path: '/document/nothing' }] }, '/ops/0'],
    ['a failing test', { ops: [{ op: 'test', path: '/title', value: 'no' }] }, '/ops/0'],
    ['an unknown field', { merge: { document: { color: 'red' } } }, '/document/color'],
    ['a wrong type', { merge: { document: { instructions: 5 } } }, '/document/instructions'],
    ['a delta for another kind', { delta: {} }, '/delta'],
    ['a title without a delta', { title: 'New', merge: {} }, ''],
    ['content for another kind', { content: { append: 'x' } }, ''],
    ['an unknown field of the envelope', { merge: {}, shout: true }, '/shout'],
    ['a path above the root', { merge: { path: '/a/../b' } }, '/path'],
  ]
  test.each(cases)('%s', async (_, body, pointer) => {
    const { client } = context.workspace
    const { body: made } = await create('skills', { title: 'Patched' })
    const answer = await client.post(`/v1/resources/skills/${made.id}/patch`, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    if (pointer) expect(answer.body.details).toContainEqual({ pointer, message: expect.any(String) })
    expect((await client.get<Resource>(`/v1/resources/skills/${made.id}`)).body.version).toBe(1)
  })

  test('copies that would grow without limit', async () => {
    const { client } = context.workspace
    const { body: made } = await create('skills', { title: 'Growing', document: { instructions: 'x'.repeat(1_000) } })
    const ops = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/document', path: '/document/again' }))
    expect((await client.post(`/v1/resources/skills/${made.id}/patch`, { ops })).status).toBe(400)
  })
})
