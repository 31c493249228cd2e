import { randomUUID } from 'node:crypto'
import { RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import type { TestWorkspace } from '../../support/stack/stack.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'

const context = useOwnStack()

interface Entry {
  id: string
  slug: string
  type: string
  title: string
  path: string
  version: number
  updated_at: string
}

interface Node {
  key: string
  kind: 'folder' | 'resource'
  title: string
  path: string
  resource?: Entry
  has_children: boolean
}

interface NodePage {
  nodes: Node[]
  cursor?: string
}

interface Tree {
  rows?: Entry[]
  folders?: { path: string; title: string; resources: number }[]
  cursor?: string
}

interface Moved {
  moved: { id: string; path: string }[]
  folders: { from: string; path: string; resources: number }[]
  total: number
}

interface Refused {
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}

const create = async (where: TestWorkspace, kind: string, fields: object) => {
  const made = await where.client.post<Entry>(`/v1/resources/${kind}`, fields)
  expect(made.status).toBe(201)
  return made.body
}

/** Creates a small folder tree in a new workspace. */
async function vault() {
  const workspace = await context.stack.workspace()
  const skill = await create(workspace, 'skills', { title: 'Reading invoices', path: '/finance' })
  const map = await create(workspace, 'stakeholder_maps', { title: 'Board', path: '/finance/people' })
  const meeting = await create(workspace, 'meetings', { title: 'Kick-off', path: '/' })
  const neuron = await create(workspace, 'neurons', {
    title: 'Clerk',
    path: '/finance/staff',
    brain_id: workspace.brain_id,
  })
  return { workspace, client: workspace.client, skill, map, meeting, neuron }
}

test('a folder tree can be browsed folder by folder', async () => {
  const { client, meeting, skill } = await vault()
  const tree = async (body?: object) => (await client.post<NodePage>('/v1/browse/resource-tree', body)).body
  const root = await tree()
  expect(root.nodes).toMatchObject([
    { key: 'folder:/finance', kind: 'folder', title: 'finance', path: '/finance', has_children: true },
    { key: `resource:${meeting.id}`, kind: 'resource', title: 'Kick-off', resource: { type: 'meetings', version: 1 } },
  ])
  expect(await tree({})).toEqual(root)
  expect(await tree({ parent_key: 'folder:/' })).toEqual(root)
  const finance = await tree({ parent_key: 'folder:/finance' })
  expect(finance.nodes.map(({ title }) => title)).toEqual(['people', 'staff', 'Reading invoices'])

  const first = await tree({ parent_key: 'folder:/finance', limit: 2 })
  const second = await tree({ parent_key: 'folder:/finance', limit: 2, cursor: first.cursor })
  expect([...first.nodes, ...second.nodes]).toEqual(finance.nodes)
  expect(second.cursor).toBeUndefined()

  const keys = ['folder:/', 'folder:/finance', 'folder:/none', `resource:${skill.id}`]
  const { body } = await client.post<{ parents: Record<string, NodePage> }>('/v1/browse/resource-tree', {
    parent_keys: keys,
  })
  expect(body.parents).toEqual({
    [keys[0]!]: root,
    [keys[1]!]: finance,
    [keys[2]!]: { nodes: [] },
    [keys[3]!]: { nodes: [] },
  })
})

test('a kind can be browsed in pages, with heads on request', async () => {
  const { client, map } = await vault()
  const page = await client.post('/v1/browse', { type: 'stakeholder_map', limit: 1 })
  expect(page).toMatchObject({
    status: 200,
    body: {
      type: 'stakeholder_maps',
      data: [{ id: map.id, slug: 'board', title: 'Board', path: '/finance/people', version: 1 }],
      pagination: { limit: 1, offset: 0, total: 1, has_more: false },
    },
  })
  expect(page.body).not.toHaveProperty('heads')
  const full = await client.post<{ heads: object[] }>('/v1/browse', { type: 'stakeholder_maps', full_heads: true })
  const read = await client.get(`/v1/resources/stakeholder_maps/${map.id}`)
  expect(full.body.heads).toEqual([read.body])
  const unknown = await client.post<Refused>('/v1/browse', { type: 'invoices' })
  expect(unknown).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/type', message: `must be one of ${RESOURCE_KINDS.join(', ')}` }] },
  })
})

test('the tree is the same whether requested by query or by body', async () => {
  const { client } = await vault()
  const get = async (query: string) => (await client.get<Tree>(`/v1/resources/tree${query}`)).body
  const post = async (body?: object) => (await client.post<Tree>('/v1/resources/tree', body)).body
  const titles = ({ rows }: Tree) => rows?.map(({ title }) => title)
  const all = await get('')
  expect(titles(all)).toEqual(['Kick-off', 'Reading invoices', 'Board', 'Clerk'])
  expect(await post()).toEqual(all)
  expect(await post({ tree_profile: 'broad', shape: 'rows' })).toEqual(all)
  expect(titles(await get('?tree_profile=document'))).toEqual(['Kick-off', 'Board'])
  expect(titles(await get('?path_prefix=%2Ffinance&limit=1'))).toEqual(['Reading invoices'])

  const first = await get('?limit=3')
  const rest = await post({ limit: 3, cursor: first.cursor })
  expect([...(first.rows ?? []), ...(rest.rows ?? [])]).toEqual(all.rows)

  const folders = await post({ shape: 'folders', tree_profile: 'document' })
  expect(await get('?shape=folders&tree_profile=document')).toEqual(folders)
  expect(folders).toEqual({
    folders: [
      { path: '/', title: '/', resources: 1 },
      { path: '/finance', title: 'finance', resources: 0 },
      { path: '/finance/people', title: 'people', resources: 1 },
    ],
  })
})

test('resources and folders can be moved, and the catalog reflects the move', async () => {
  const { client, meeting, skill, neuron } = await vault()
  const one = await client.post<Moved>('/v1/resources/move', { resource_ids: [meeting.id], path: '/finance' })
  expect(one).toMatchObject({ status: 200, body: { moved: [{ id: meeting.id, path: '/finance' }], total: 1 } })
  const all = await client.post<Moved>('/v1/resources/move', { folders: ['/finance'], path: '/2026' })
  expect(all.body).toMatchObject({ folders: [{ from: '/finance', path: '/2026/finance', resources: 4 }], total: 4 })
  expect((await client.get(`/v1/resources/neurons/${neuron.id}`)).body).toMatchObject({
    path: '/2026/finance/staff',
    version: 1,
  })
  const refused = await client.post<Refused>('/v1/resources/move', {
    resource_ids: [skill.id, meeting.id, randomUUID()],
    path: '/',
    move_profile: 'document',
  })
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'VALIDATION_ERROR',
      details: [
        { pointer: '/resource_ids/2', message: 'does not exist' },
        { pointer: '/resource_ids/0', message: 'is a skill, not a document' },
      ],
    },
  })
  expect((await client.get(`/v1/resources/meetings/${meeting.id}`)).body).toMatchObject({ path: '/2026/finance' })
})

test("the request's brain limits the results, whether set by header or by body", async () => {
  const { workspace, client } = await vault()
  const other = (await context.stack.workspace()).brain_id
  const count = async (body: object, headers = {}) =>
    (await client.post<{ data: unknown[] }>('/v1/browse', { type: 'neurons', ...body }, { headers })).body.data.length
  expect(await count({})).toBe(1)
  expect(await count({ brain_id: workspace.brain_id })).toBe(1)
  expect(await count({}, { 'X-Brain-Id': workspace.brain_id })).toBe(1)
  const folders = async (path: string, body: object) => JSON.stringify((await client.post(path, body)).body)
  const paths = ['/v1/browse/resource-tree', '/v1/resources/tree']
  for (const path of paths) expect(await folders(path, { brain_id: workspace.brain_id })).toContain('finance')
  for (const path of ['/v1/browse', '/v1/resources/move', ...paths])
    expect(
      (await client.post(path, { type: 'neurons', path: '/', folders: ['/a'], brain_id: other })).status,
    ).toBeGreaterThanOrEqual(400)
  expect((await client.post('/v1/browse', { type: 'neurons', brain_id: other })).status).toBe(403)
})

test('another workspace can neither see nor move any of the resources', async () => {
  const { skill } = await vault()
  const { client } = context.workspace
  const moved = await client.post<Refused>('/v1/resources/move', { resource_ids: [skill.id], path: '/mine' })
  expect(moved.body.details).toEqual([{ pointer: '/resource_ids/0', message: 'does not exist' }])
  const tree = await client.get('/v1/resources/tree')
  expect(JSON.stringify(tree.body)).not.toContain(skill.id)
})

const ID = '01975cab-0000-7000-8000-000000000000'

describe('invalid input is reported by name', () => {
  test.each<[string, unknown, string]>([
    ['/v1/browse', undefined, '/type'],
    ['/v1/browse', [], ''],
    ['/v1/browse', {}, '/type'],
    ['/v1/browse', { type: 5 }, '/type'],
    ['/v1/browse', { type: '__proto__' }, '/type'],
    ['/v1/browse', { type: 'skills', limit: 0 }, '/limit'],
    ['/v1/browse', { type: 'skills', limit: 201 }, '/limit'],
    ['/v1/browse', { type: 'skills', limit: '5' }, '/limit'],
    ['/v1/browse', { type: 'skills', limit: 1.5 }, '/limit'],
    ['/v1/browse', { type: 'skills', offset: -1 }, '/offset'],
    ['/v1/browse', { type: 'skills', full_heads: 'yes' }, '/full_heads'],
    ['/v1/browse', { type: 'skills', brain_id: 'x' }, '/brain_id'],
    ['/v1/browse', { type: 'skills', color: 'red' }, '/color'],
    ['/v1/browse/resource-tree', { parent_key: '/finance' }, '/parent_key'],
    ['/v1/browse/resource-tree', { parent_key: 'folder:/a/../b' }, '/parent_key'],
    ['/v1/browse/resource-tree', { parent_key: `folder:/${'x'.repeat(1_000)}` }, '/parent_key'],
    ['/v1/browse/resource-tree', { parent_key: 'folder:/a', parent_keys: ['folder:/a'] }, '/parent_keys'],
    ['/v1/browse/resource-tree', { parent_keys: [] }, '/parent_keys'],
    ['/v1/browse/resource-tree', { parent_keys: ['folder:/a', 'x'] }, '/parent_keys/1'],
    ['/v1/browse/resource-tree', { parent_keys: Array.from({ length: 101 }, () => 'folder:/a') }, '/parent_keys'],
    ['/v1/browse/resource-tree', { parent_keys: Array.from({ length: 26 }, () => 'folder:/a'), limit: 200 }, '/limit'],
    ['/v1/browse/resource-tree', { parent_keys: ['folder:/a'], cursor: 'x' }, '/cursor'],
    ['/v1/browse/resource-tree', { cursor: 'garbage' }, '/cursor'],
    ['/v1/browse/resource-tree', { cursor: 5 }, '/cursor'],
    ['/v1/browse/resource-tree', { limit: 0 }, '/limit'],
    ['/v1/browse/resource-tree', { types: ['skills'] }, '/types'],
    ['/v1/resources/tree', { tree_profile: 'wide' }, '/tree_profile'],
    ['/v1/resources/tree', { shape: 'circle' }, '/shape'],
    ['/v1/resources/tree', { path_prefix: 'finance' }, '/path_prefix'],
    ['/v1/resources/tree', { path_prefix: '/finance/' }, '/path_prefix'],
    ['/v1/resources/tree', { path_prefix: "/a\u0001'; drop table resources" }, '/path_prefix'],
    ['/v1/resources/tree', { cursor: 'garbage' }, '/cursor'],
    ['/v1/resources/tree', { shape: 'folders', cursor: 'garbage' }, '/cursor'],
    ['/v1/resources/tree', { offset: 5 }, '/offset'],
    ['/v1/resources/move', undefined, '/path'],
    ['/v1/resources/move', { path: '/a' }, ''],
    ['/v1/resources/move', { path: '/a', resource_ids: [], folders: [] }, ''],
    ['/v1/resources/move', { resource_ids: [ID] }, '/path'],
    ['/v1/resources/move', { resource_ids: [ID], path: 'a' }, '/path'],
    ['/v1/resources/move', { resource_ids: [ID], path: `/${'ü'.repeat(500)}` }, '/path'],
    ['/v1/resources/move', { resource_ids: ['x'], path: '/a' }, '/resource_ids/0'],
    ['/v1/resources/move', { resource_ids: ID, path: '/a' }, '/resource_ids'],
    ['/v1/resources/move', { resource_ids: Array.from({ length: 1_001 }, () => ID), path: '/a' }, '/resource_ids'],
    ['/v1/resources/move', { folders: Array.from({ length: 101 }, () => '/b'), path: '/a' }, '/folders'],
    ['/v1/resources/move', { folders: ['b'], path: '/a' }, '/folders/0'],
    ['/v1/resources/move', { folders: ['/a'], path: '/a/b' }, '/folders/0'],
    ['/v1/resources/move', { folders: ['/'], path: '/a' }, '/folders/0'],
    ['/v1/resources/move', { resource_ids: [ID], path: '/a' }, '/resource_ids/0'],
    ['/v1/resources/move', { resource_ids: [ID], path: '/a', move_profile: 'all' }, '/move_profile'],
    ['/v1/resources/move', { resource_ids: [ID], path: '/a', force: true }, '/force'],
  ])('%s %j', async (path, body, pointer) => {
    const refused = await context.workspace.client.post<Refused>(path, body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(refused.body.details?.map(problem => problem.pointer)).toContain(pointer)
  })

  test.each([
    ['tree_profile=wide', '/tree_profile'],
    ['shape=rows&shape=folders', '/shape'],
    ['limit=0', '/limit'],
    ['limit=many', '/limit'],
    ['path_prefix=a', '/path_prefix'],
    ['cursor=%00', '/cursor'],
    ['profile=document', '/profile'],
  ])('GET /v1/resources/tree?%s', async (query, pointer) => {
    const refused = await context.workspace.client.get<Refused>(`/v1/resources/tree?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer }] } })
  })

  test('a request without a key gets no data', async () => {
    for (const path of ['/v1/browse', '/v1/browse/resource-tree', '/v1/resources/tree', '/v1/resources/move'])
      expect((await fetch(context.stack.baseUrl + path, { method: 'POST' })).status).toBe(401)
  })

  test('none of these requests causes a server error', () => {
    expect(context.stack.api.output()).not.toMatch(/"status":5\d\d/)
  })
})
