import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { isWithin } from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { inBrain } from '../../../services/access/brains.ts'
import { createDiscovery, type DiscoveryService } from '../../../services/resources/discovery/discovery.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { type PlacedResource, placeResources } from '../../support/resources/placed-resources.ts'
import { boundTo, createPrincipal } from '../../support/shared/workspace.ts'
import { parseNodeKey, type NodeKey } from '../../../domain/resources/node-key.ts'
import type { NodePage, TreeQuery } from '../../../contract/resources/discovery.ts'

let database: TestDatabase
let discovery: DiscoveryService

beforeAll(async () => {
  database = await createTestDatabase()
  discovery = createDiscovery({ db: database.db })
})
afterAll(() => database.drop())

/**
 * Creates a principal with a new workspace that contains these resources. Resources with `own` belong to the
 * principal's brain.
 */
async function withResources(wanted: ({ path: string; own?: boolean } & Partial<PlacedResource>)[]) {
  const principal = await createPrincipal(database.db)
  const given = wanted.map(({ own, ...more }) => ({ ...more, brain_id: own ? principal.first_brain : null }))
  const placed = await placeResources(database.db, principal.workspace_id, given)
  return { principal, ids: placed.map(({ id }) => id) }
}

const folder = (path: string): NodeKey => ({ folder: path })
const query = (more: Partial<TreeQuery> = {}): TreeQuery => ({
  tree_profile: 'broad',
  path_prefix: '/',
  limit: 50,
  ...more,
})
const encoded = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')

test.each([
  ['folder:/', { folder: '/' }],
  ['folder:/a/b c', { folder: '/a/b c' }],
  ['resource:01975cab-0000-7000-8000-000000000000', { resource: '01975cab-0000-7000-8000-000000000000' }],
])('%s is a valid key', (text, key) => expect(parseNodeKey(text)).toEqual(key))

test.each([
  '',
  ':',
  'folder',
  'folder:',
  'folder:a',
  'folder:/a/',
  'folder:/a/../b',
  'resource:',
  'resource:x',
  '/a',
  '__proto__',
])('%j is not a valid key', text => expect(parseNodeKey(text)).toBeUndefined())

describe('children', () => {
  test('are folders first, then resources, with one node each', async () => {
    const { principal, ids } = await withResources([
      { path: '/', title: 'Top', kind: 'assets' },
      { path: '/a/b', title: 'Low' },
    ])
    const { nodes, cursor } = await discovery.children(principal, folder('/'), { limit: 10 })
    expect(nodes).toEqual([
      { key: 'folder:/a', kind: 'folder', title: 'a', path: '/a', has_children: true },
      {
        key: `resource:${ids[0]}`,
        kind: 'resource',
        title: 'Top',
        path: '/',
        resource: {
          id: ids[0],
          slug: `s-${ids[0]}`,
          type: 'assets',
          title: 'Top',
          path: '/',
          version: 1,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
        has_children: false,
      },
    ])
    expect(cursor).toBeUndefined()
  })

  test('a resource has no children, and an unknown folder is empty', async () => {
    const { principal, ids } = await withResources([{ path: '/a' }])
    for (const key of [{ resource: ids[0] ?? '' }, { resource: randomUUID() }, folder('/nowhere'), folder('/a/b')])
      expect(await discovery.children(principal, key, { limit: 10 })).toEqual({ nodes: [] })
  })

  test('are returned page by page, and inserting a resource in the meantime shifts nothing', async () => {
    const { principal } = await withResources([
      ...['b', 'd', 'f'].map(name => ({ path: `/x/${name}` })),
      ...['B', 'D', 'F'].map(title => ({ path: '/x', title })),
    ])
    const page = (cursor?: string) => discovery.children(principal, folder('/x'), { limit: 2, cursor })
    const titles = ({ nodes }: NodePage) => nodes.map(({ title }) => title)
    const put = (...more: { path: string; title?: string }[]) =>
      placeResources(database.db, principal.workspace_id, more)
    const first = await page()
    await put({ path: '/x/a' }, { path: '/x/e' }, { path: '/x', title: 'A' })
    const second = await page(first.cursor)
    const third = await page(second.cursor)
    await put({ path: '/x/z' }, { path: '/x', title: 'A' }, { path: '/x', title: 'C' })
    const fourth = await page(third.cursor)
    const fifth = await page(fourth.cursor)
    expect([first, second, third, fourth, fifth].map(titles)).toEqual([
      ['b', 'd'],
      ['e', 'f'],
      ['A', 'B'],
      ['C', 'D'],
      ['F'],
    ])
    expect(fifth.cursor).toBeUndefined()
  })

  test('of several folders are returned with the first page for each folder', async () => {
    const { principal } = await withResources(['/a/1', '/a/2', '/a/3', '/b/1', '/c'].map(path => ({ path })))
    const keys = [folder('/a'), folder('/b'), folder('/none'), { resource: randomUUID() }, folder('/a')]
    const found = await discovery.childrenOfEach(principal, keys, { limit: 2 })
    expect(Object.keys(found)).toHaveLength(4)
    for (const [text, page] of Object.entries(found)) {
      const key = parseNodeKey(text)
      expect(page).toEqual(key && (await discovery.children(principal, key, { limit: 2 })))
    }
    expect(found['folder:/a']).toMatchObject({ nodes: [{ title: '1' }, { title: '2' }], cursor: expect.any(String) })
  })

  test.each([
    ['that is not base64', '###'],
    ['nothing', ''],
    ['that is not JSON', Buffer.from('{').toString('base64url')],
    ['of another folder', encoded(['folder:/b', 'x'])],
    ['of rows', encoded(['row', '/a', 'x', randomUUID()])],
    ['with a path as a name', encoded(['folder:/a', 'x/y'])],
    ['without an id', encoded(['folder:/a', 'x', 'nope'])],
    ['with NUL', encoded(['folder:/a', 'x\0', randomUUID()])],
    ['with extra elements', encoded(['folder:/a', 'x', randomUUID(), 'y'])],
    ['null', encoded(null)],
  ])('a cursor %s is rejected', async (_name, cursor) => {
    const { principal } = await withResources([])
    await expect(discovery.children(principal, folder('/a'), { limit: 10, cursor })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ pointer: '/cursor' }],
    })
    const path_prefix = '/a/c'
    await expect(discovery.rows(principal, query({ path_prefix, cursor }))).rejects.toMatchObject({ status: 400 })
    await expect(discovery.folders(principal, query({ path_prefix, cursor }))).rejects.toMatchObject({ status: 400 })
  })
})

describe('visibility', () => {
  test('a folder without accessible resources is hidden', async () => {
    const { principal } = await withResources([{ path: '/open' }, { path: '/closed/deep', own: true }])
    const titles = async (caller: Principal) =>
      (await discovery.children(caller, folder('/'), { limit: 10 })).nodes.map(({ title }) => title)
    expect(await titles(principal)).toEqual(['closed', 'open'])
    expect(await titles(boundTo(principal, principal.first_brain))).toEqual(['closed', 'open'])
    expect(await titles(boundTo(principal, randomUUID()))).toEqual(['open'])
    expect(await titles(inBrain(principal, principal.first_brain))).toEqual(['closed', 'open'])
    expect(await titles(inBrain(principal, randomUUID()))).toEqual(['open'])
    for (const caller of [boundTo(principal, randomUUID()), inBrain(principal, randomUUID())]) {
      expect((await discovery.rows(caller, query())).rows.map(({ path }) => path)).toEqual(['/open'])
      expect((await discovery.folders(caller, query())).folders.map(({ path }) => path)).toEqual(['/', '/open'])
      expect((await discovery.children(caller, folder('/closed'), { limit: 10 })).nodes).toEqual([])
    }
  })

  test('each workspace has a separate tree', async () => {
    await withResources([{ path: '/theirs' }])
    const { principal } = await withResources([{ path: '/mine' }])
    expect((await discovery.children(principal, folder('/'), { limit: 10 })).nodes).toMatchObject([{ path: '/mine' }])
    expect((await discovery.rows(principal, query())).rows).toMatchObject([{ path: '/mine' }])
  })
})

describe('the tree', () => {
  test('for documents contains the kinds in the document lane and the folders that contain them', async () => {
    const { principal } = await withResources([
      { path: '/code', kind: 'pathways' },
      { path: '/both', kind: 'neurons' },
      { path: '/both', kind: 'meetings' },
      { path: '/docs', kind: 'stakeholder_maps' },
      { path: '/docs', kind: 'assets' },
      { path: '/docs', kind: 'artifacts' },
    ])
    const documents = query({ tree_profile: 'document' })
    const { rows } = await discovery.rows(principal, documents)
    expect(rows.map(({ type }) => type).sort()).toEqual(['artifacts', 'assets', 'meetings', 'stakeholder_maps'])
    expect((await discovery.folders(principal, documents)).folders).toEqual([
      { path: '/', title: '/', resources: 0 },
      { path: '/both', title: 'both', resources: 1 },
      { path: '/docs', title: 'docs', resources: 3 },
    ])
    expect((await discovery.rows(principal, query())).rows).toHaveLength(6)
    expect((await discovery.folders(principal, query())).folders).toHaveLength(4)
  })

  test('can start at a folder', async () => {
    const { principal } = await withResources(['/a', '/a/b', '/a/b/c', '/ab', '/a b'].map(path => ({ path })))
    const paths = async (path_prefix: string) =>
      (await discovery.rows(principal, query({ path_prefix }))).rows.map(r => r.path)
    expect(await paths('/a')).toEqual(['/a', '/a/b', '/a/b/c'])
    expect(await paths('/a/b')).toEqual(['/a/b', '/a/b/c'])
    expect(await paths('/')).toEqual(['/a', '/a/b', '/a/b/c', '/a b', '/ab'])
    expect(await paths('/none')).toEqual([])
    expect(await discovery.folders(principal, query({ path_prefix: '/none' }))).toEqual({ folders: [] })
  })

  test('contains each folder of a resource once, in pages of any size', async () => {
    const path = fc.array(fc.constantFrom('a', 'a b', 'b', 'ä'), { maxLength: 4 }).map(names => `/${names.join('/')}`)
    const tops = fc.constantFrom('/', '/a', '/a/b')
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        tops,
        async (paths, limit, top) => {
          const { principal } = await withResources(paths.map(path => ({ path })))
          const found: { path: string; resources: number }[] = []
          let cursor: string | undefined
          do {
            const page = await discovery.folders(principal, query({ limit, path_prefix: top, cursor }))
            expect(page.folders.length).toBeLessThanOrEqual(limit)
            found.push(...page.folders)
            cursor = page.cursor
          } while (cursor !== undefined)
          const within = paths.filter(path => isWithin(path, top))
          const leading = within.flatMap(path => {
            const names = path.split('/').filter(Boolean)
            return [...names, ''].map((_, i) => `/${names.slice(0, i).join('/')}`)
          })
          const expected = [...new Set(leading)].filter(path => isWithin(path, top))
          expect(found.map(({ path }) => path).sort()).toEqual(expected.sort())
          for (const { path, resources } of found) expect(resources).toBe(paths.filter(other => other === path).length)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('is returned as rows, in pages that omit nothing', async () => {
    const { principal, ids } = await withResources(
      ['/b', '/a', '/a/x', '/', '/a b'].flatMap(path => [{ path, title: 'same' }, { path, title: 'same' }, { path }]),
    )
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await discovery.rows(principal, query({ limit: 4, cursor }))
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(seen).toHaveLength(ids.length)
    expect(new Set(seen)).toEqual(new Set(ids))
  })
})
