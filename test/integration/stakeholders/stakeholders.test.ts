import { randomUUID } from 'node:crypto'
import { waitUntil } from '../../support/stack/process.ts'
import { asked, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

interface MapHead {
  id: string
  title: string
  path: string
  version: number
  document: object
  snapshot: { stakeholders: { id: string; name: string }[]; edges: object[] }
}

const people = [
  { id: 'ann', name: 'Ann Ito', role: 'CFO', stance: 'supporter', influence: 9 },
  { id: 'bob', name: 'Bob Ray', role: 'CTO', stance: 'neutral', influence: 6, attributes: { floor: 2 } },
  { id: 'eve', name: 'Eve Oduya', stance: 'blocker', influence: 3 },
]
const edges = [
  { from: 'ann', to: 'bob', type: 'reports_to', strength: 2 },
  { from: 'eve', to: 'bob', type: 'advises' },
]

const createMap = async (snapshot: object = { stakeholders: people, edges }, title = 'Board') => {
  const made = await context.workspace.client.post<MapHead>('/v1/resources/stakeholder_maps', { title, snapshot })
  expect([made.status, made.body]).toMatchObject([201, {}])
  return made.body
}
const patch = <T = MapHead>(id: string, body: object) =>
  context.workspace.client.post<T>(`/v1/resources/stakeholder_map/${id}/patch`, body)
const read = async (id: string) =>
  (await context.workspace.client.get<MapHead>(`/v1/resources/stakeholder_maps/${id}`)).body

describe('the body of a map', () => {
  test('is read and written as a snapshot in every read', async () => {
    const { client } = context.workspace
    const made = await createMap()
    expect(made.snapshot).toMatchObject({ stakeholders: people, edges })
    expect(made.document).toEqual({ description: null })
    const first = (await client.get<MapHead>(`/v1/resources/stakeholder_maps/${made.id}/versions/1`)).body
    expect(first.snapshot).toEqual(made.snapshot)
    const { body: browsed } = await client.post<{ heads: MapHead[] }>('/v1/browse', {
      type: 'stakeholder_maps',
      full_heads: true,
    })
    expect(browsed.heads.find(({ id }) => id === made.id)?.snapshot).toEqual(made.snapshot)
    const { body: diff } = await client.get<{ ops: { path: string }[] }>(
      `/v1/resources/stakeholder_maps/${(await patch(made.id, { delta: { stakeholders: { add: [{ id: 'zoe', name: 'Zoe' }] } } })).body.id}/diff?from=1&to=live`,
    )
    expect(diff.ops[0]?.path).toBe('/snapshot/stakeholders/3')
  })

  test.each<[string, object, string]>([
    ['a UUID as id', { snapshot: { stakeholders: [{ id: randomUUID(), name: 'A' }] } }, '/snapshot/stakeholders/0/id'],
    ['a repeated id', { snapshot: { stakeholders: [people[0], people[0]] } }, '/snapshot/stakeholders/1/id'],
    ['an edge to an unknown stakeholder', { snapshot: { edges: [edges[0]] } }, '/snapshot/edges/0/from'],
    [
      'an edge to itself',
      { snapshot: { stakeholders: people, edges: [{ from: 'ann', to: 'ann', type: 'knows' }] } },
      '/snapshot/edges/0/to',
    ],
    ['a repeated relation', { snapshot: { stakeholders: people, edges: [edges[0], edges[0]] } }, '/snapshot/edges/1'],
    ['the people in the document', { document: { stakeholders: people } }, '/document/stakeholders'],
    ['an unknown field', { snapshot: { nodes: [] } }, '/snapshot/nodes'],
    ['a list', { snapshot: [] }, '/snapshot'],
    [
      '5,001 people',
      { snapshot: { stakeholders: Array.from({ length: 5_001 }, (_, i) => ({ id: `p${i}`, name: 'P' })) } },
      '/snapshot/stakeholders',
    ],
  ])('is rejected with %s', async (_, body, pointer) => {
    const { client } = context.workspace
    const answer = await client.post('/v1/resources/stakeholder_maps', { title: 'Refused', ...body })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details).toContainEqual({ pointer, message: expect.any(String) })
  })

  test('of 100,000 people is rejected', async () => {
    const stakeholders = Array.from({ length: 100_000 }, (_, i) => ({ id: `p${i}`, name: `Person ${i}` }))
    const { client } = context.workspace
    const answer = await client.post('/v1/resources/stakeholder_maps', { title: 'Huge', snapshot: { stakeholders } })
    expect(answer.status).toBe(413)
  })

  test('exists only for maps', async () => {
    const { client } = context.workspace
    const answer = await client.post('/v1/resources/skills', {
      title: 'S',
      document: { instructions: 'x' },
      snapshot: {},
    })
    expect(answer.status).toBe(400)
    expect(answer.body.details).toContainEqual({ pointer: '/snapshot', message: expect.any(String) })
  })
})

describe('a delta', () => {
  test('adds, updates field by field and removes entries in one version, and is kept', async () => {
    const { client } = context.workspace
    const made = await createMap()
    const delta = {
      description: 'After the reorganization',
      stakeholders: {
        add: [{ id: 'kim', name: 'Kim Lee' }],
        update: [{ id: 'bob', role: null, stance: 'supporter', attributes: { floor: null, city: 'Oslo' } }],
        remove: ['eve'],
      },
      edges: {
        add: [{ from: 'kim', to: 'ann', type: 'advises', strength: 0.5 }],
        update: [{ from: 'ann', to: 'bob', type: 'reports_to', strength: null, notes: 'weekly' }],
        remove: [{ from: 'eve', to: 'bob' }],
      },
    }
    const note = 'Eve left'
    const patched = await patch(made.id, { delta, title: 'New board', path: '/boards', expected_version: 1, note })
    expect(patched).toMatchObject({
      status: 200,
      body: { version: 2, title: 'New board', path: '/boards', document: { description: delta.description } },
    })
    expect(patched.body.snapshot).toEqual({
      stakeholders: [
        { ...people[0], attributes: {} },
        { id: 'bob', name: 'Bob Ray', stance: 'supporter', influence: 6, attributes: { city: 'Oslo' } },
        { id: 'kim', name: 'Kim Lee', attributes: {} },
      ],
      edges: [
        { from: 'ann', to: 'bob', type: 'reports_to', notes: 'weekly' },
        { from: 'kim', to: 'ann', type: 'advises', strength: 0.5 },
      ],
    })
    expect(await read(made.id)).toEqual(patched.body)
    const at = `/v1/resources/stakeholder_maps/${made.id}`
    expect((await client.get<MapHead>(`${at}/versions/1`)).body.snapshot).toEqual(made.snapshot)
    const { body: history } = await client.get<{ data: object[] }>(`${at}/history`)
    expect(history.data[0]).toMatchObject({
      version: 2,
      note,
      delta: { changed: expect.arrayContaining(['title', 'path', 'description', 'stakeholders', 'edges']), delta },
    })
  })

  test('without changes creates no version, and an outdated delta returns 409', async () => {
    const made = await createMap()
    const same = { delta: { stakeholders: { update: [{ id: 'ann', role: 'CFO' }] } } }
    expect((await patch(made.id, same)).body.version).toBe(1)
    await patch(made.id, { delta: { stakeholders: { update: [{ id: 'ann', role: 'CEO' }] } } })
    const stale = await patch<{ code: string }>(made.id, { ...same, expected_version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT'])
    expect((await read(made.id)).version).toBe(2)
  })

  test('with cascade removes the relations of removed people', async () => {
    const made = await createMap()
    const { body } = await patch(made.id, { delta: { stakeholders: { remove: ['bob'] }, cascade: true } })
    expect([body.version, body.snapshot.stakeholders.map(({ id }) => id), body.snapshot.edges]).toEqual([
      2,
      ['ann', 'eve'],
      [],
    ])
  })

  const removal = { from: 'ann', to: 'bob', type: 'reports_to' }
  test.each<[string, object, string]>([
    ['is missing', { title: 'New' }, ''],
    ['is a merge patch', { merge: { title: 'New' } }, '/delta'],
    ['is empty', { delta: {} }, '/delta'],
    [
      'leaves relations of a removed person',
      { delta: { stakeholders: { remove: ['bob'] } } },
      '/delta/stakeholders/remove/0',
    ],
    [
      'removes and updates a person',
      { delta: { stakeholders: { remove: ['eve'], update: [{ id: 'eve', role: 'x' }] }, cascade: true } },
      '/delta/stakeholders/update/0/id',
    ],
    [
      'adds a person twice',
      { delta: { stakeholders: { add: [1, 2].map(() => ({ id: 'kim', name: 'Kim' })) } } },
      '/delta/stakeholders/add/1/id',
    ],
    ['adds an existing person', { delta: { stakeholders: { add: [people[0]] } } }, '/delta/stakeholders/add/0/id'],
    [
      'updates an unknown stakeholder',
      { delta: { stakeholders: { update: [{ id: 'zed' }] } } },
      '/delta/stakeholders/update/0/id',
    ],
    [
      'clears a name',
      { delta: { stakeholders: { update: [{ id: 'ann', name: null }] } } },
      '/delta/stakeholders/update/0/name',
    ],
    [
      'removes and changes a relation',
      { delta: { edges: { remove: [removal], update: [{ ...removal, strength: 1 }] } } },
      '/delta/edges/update/0',
    ],
    [
      'adds an edge to an unknown stakeholder',
      { delta: { edges: { add: [{ from: 'ann', to: 'zed', type: 'x' }] } } },
      '/delta/edges/add/0/to',
    ],
    [
      'adds an edge to a removed person',
      {
        delta: {
          stakeholders: { remove: ['eve'] },
          edges: { add: [{ from: 'ann', to: 'eve', type: 'x' }] },
          cascade: true,
        },
      },
      '/delta/edges/add/0/to',
    ],
    ['removes a missing edge', { delta: { edges: { remove: [{ from: 'bob', to: 'eve' }] } } }, '/delta/edges/remove/0'],
    ['names a person by UUID', { delta: { stakeholders: { remove: [randomUUID()] } } }, '/delta/stakeholders/remove/0'],
  ])('that %s is rejected with its pointer and changes nothing', async (_, body, pointer) => {
    const made = await createMap()
    const answer = await patch<{ code: string; details: object[] }>(made.id, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details).toContainEqual({ pointer, message: expect.any(String) })
    expect((await read(made.id)).version).toBe(1)
  })
})

describe('the reads of a map', () => {
  const get = <T>(path: string, headers?: Record<string, string>) =>
    context.workspace.client.get<T>(`/v1/stakeholders/${path}`, { headers })
  let map: MapHead

  beforeAll(async () => {
    map = await createMap()
    const delta = {
      stakeholders: {
        add: [{ id: 'kim', name: 'Kim <Lee>', role: 'COO' }],
        update: [{ id: 'ann', stance: 'sceptical', aliases: ['Annie I.'] }],
      },
      edges: { add: [{ from: 'kim', to: 'ann', type: 'advises', strength: 3 }] },
    }
    await patch(map.id, { delta, note: 'Kim joined' })
    await patch(map.id, { delta: { stakeholders: { update: [{ id: 'eve', role: 'Auditor' }] } } })
  })

  test('return the latest version as JSON and as Markdown', async () => {
    const latest = await get<MapHead>(`latest?resource_id=${map.id}`)
    expect(latest).toMatchObject({ status: 200, body: { id: map.id, version: 3 } })
    expect(latest.body.snapshot.stakeholders).toHaveLength(4)
    for (const [path, headers] of [
      ['&format=markdown', {}],
      ['', { Accept: 'text/markdown' }],
    ] as const) {
      const text = await get<string>(`latest?resource_id=${map.id}${path}`, headers)
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(text.body).toContain('| kim | Kim \\<Lee\\> | COO |')
    }
  })

  test('compare two versions field by field and in sentences', async () => {
    const diff = await get<object>(`diff?resource_id=${map.id}&from=1&to=live`)
    expect(diff).toMatchObject({
      status: 200,
      body: {
        from: 1,
        to: 3,
        stakeholders: {
          added: [{ id: 'kim', sentence: 'Kim <Lee> (COO) was added.' }],
          removed: [],
          changed: [
            {
              id: 'ann',
              changes: expect.arrayContaining([{ field: 'stance', before: 'supporter', after: 'sceptical' }]),
            },
            { id: 'eve', sentence: 'Eve Oduya: role was set to “Auditor”.' },
          ],
        },
        edges: { added: [{ from: 'kim', to: 'ann', sentence: expect.stringContaining('advises') }] },
      },
    })
    const back = await get<object>(`diff?resource_id=${map.id}&from=live&to=1`)
    expect(back.body).toMatchObject({ stakeholders: { removed: [{ id: 'kim' }] } })
    expect((await get(`diff?resource_id=${map.id}&from=1&to=9`)).status).toBe(404)
    expect((await get(`diff?resource_id=${map.id}&from=0&to=1`)).status).toBe(400)
    const text = await get<string>(`diff?resource_id=${map.id}&from=1&to=2&format=markdown`)
    expect(text.body).toContain('- Kim \\<Lee\\> (COO) was added.')
  })

  test('describe a person, with relations, paths, changes, mentions and open interventions', async () => {
    const { client } = context.workspace
    await client.post('/v1/artifacts', { title: 'Minutes', content: 'We heard that Annie I. wants to postpone.' })
    const ask = { id: 'ask', type: 'human', kind: 'approval', title: 'Release the budget?', assignees: ['user:ann'] }
    const end = { id: 'done', type: 'end' }
    const job = await startRun(client, pathway([ask, end], 'ask.approve > done', 'ask.reject > done'))
    await asked(client, job)
    const briefing = await waitUntil(async () => {
      const found = await get<{ mentions: object[] | null }>(`ann/briefing?resource_id=${map.id}&paths_to=eve,kim`)
      expect([found.status, found.body]).toMatchObject([200, {}])
      return (found.body.mentions ?? []).length > 0 && found.body
    })
    expect(briefing).toMatchObject({
      version: 3,
      stakeholder: { id: 'ann', stance: 'sceptical', aliases: ['Annie I.'] },
      relations: {
        outgoing: [{ stakeholder: { id: 'bob' }, strength: 2 }],
        incoming: [{ stakeholder: { id: 'kim', name: 'Kim <Lee>' }, strength: 3 }],
      },
      paths: [
        { to: { id: 'eve' }, through: [{ id: 'ann' }, { id: 'bob' }, { id: 'eve' }] },
        { to: { id: 'kim' }, through: [{ id: 'ann' }, { id: 'kim' }] },
      ],
      changes: [
        { version: 2, note: 'Kim joined', sentences: expect.arrayContaining([expect.stringContaining('sceptical')]) },
        { version: 1, sentences: expect.arrayContaining(['Ann Ito (CFO) was added.']) },
      ],
      mentions: [{ title: 'Minutes', excerpt: expect.stringContaining('Annie I.') }],
      interventions: [{ job_id: job, title: 'Release the budget?' }],
      written: null,
    })
    const text = await get<string>(`ann/briefing?resource_id=${map.id}`, { Accept: 'text/markdown' })
    expect(text.body).toContain('# Ann Ito')
    expect(text.body).toContain('Release the budget?')
    expect((await get(`nobody/briefing?resource_id=${map.id}`)).status).toBe(404)
    expect((await get(`ann/briefing?resource_id=${map.id}&paths_to=nobody`)).status).toBe(400)
    await client.post(`/v1/jobs/${job}/cancel`)
  })

  test('render the map as SVG, Mermaid and GraphML', async () => {
    const svg = await get<string>(`graph.svg?resource_id=${map.id}&version=2&diff=1`)
    expect([svg.status, svg.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(svg.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(svg.body).toContain('>Kim &lt;Lee&gt;</text>')
    expect(svg.body).toContain('changes since version 1')
    const mermaid = await get<string>(`graph.svg?resource_id=${map.id}&format=mermaid`)
    expect(mermaid.body).toMatch(/^graph LR\n/)
    const graphml = await get<string>(`graph.svg?resource_id=${map.id}&format=graphml`)
    expect(graphml.body).toContain('<node id="kim">')
    expect((await get(`graph.svg?resource_id=${map.id}&version=9`)).status).toBe(404)
  })
})

describe('the default map of a brain', () => {
  interface Brain {
    id: string
    default_map_id: string | null
  }
  const person = { id: 'ann', name: 'Ann Ito' }

  test('is its first map, can be set, and is replaced when it is deleted', async () => {
    const { workspace } = context
    const id = await workspace.newBrain()
    const client = await workspace.boundTo(id)
    const admin = await workspace.permittedTo('access:manage', 'resources:read')
    const make = async (title: string) =>
      (await client.post<MapHead>('/v1/resources/stakeholder_maps', { title, snapshot: { stakeholders: [person] } }))
        .body
    const latest = async () => {
      const { status, body } = await client.get<MapHead>('/v1/stakeholders/latest')
      return status === 200 ? body.id : status
    }
    expect(await latest()).toBe(404)
    const [first, second] = [await make('First'), await make('Second')]
    expect(await latest()).toBe(first.id)
    await client.del(`/v1/resources/stakeholder_maps/${first.id}`)
    expect(await latest()).toBe(second.id)
    await client.post(`/v1/resources/stakeholder_maps/${first.id}/restore`)
    expect(await latest()).toBe(second.id)
    const set = (default_map_id: string | null) => admin.patch<Brain>(`/v1/brains/${id}`, { default_map_id })
    expect(await set(first.id)).toMatchObject({ status: 200, body: { default_map_id: first.id } })
    expect(await latest()).toBe(first.id)
    const elsewhere = await createMap()
    expect(await set(elsewhere.id)).toMatchObject({ status: 400, body: { details: [{ pointer: '/default_map_id' }] } })
    expect(await set(null)).toMatchObject({ status: 200, body: { default_map_id: null } })
    expect(await latest()).toBe(404)
    await set(second.id)
    await client.del(`/v1/resources/stakeholder_maps/${second.id}`)
    expect(await latest()).toBe(first.id)
    await client.del(`/v1/resources/stakeholder_maps/${first.id}`)
    expect(await latest()).toBe(404)
    const brains = (await workspace.client.get<{ data: Brain[] }>('/v1/brains')).body.data
    expect(brains.find(brain => brain.id === id)).toMatchObject({ default_map_id: null })
  })
})
