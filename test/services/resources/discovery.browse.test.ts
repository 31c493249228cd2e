import { randomUUID } from 'node:crypto'
import { execute } from '../../../data/shared/statements.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { inBrain } from '../../../services/access/brains.ts'
import { createDiscovery, type DiscoveryService } from '../../../services/resources/discovery/discovery.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { placeResources } from '../../support/resources/placed-resources.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { boundTo, createPrincipal } from '../../support/shared/workspace.ts'
import type { BrowseQuery } from '../../../contract/resources/discovery.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'

let database: TestDatabase
let discovery: DiscoveryService
let resources: ResourcesService

beforeAll(async () => {
  database = await createTestDatabase()
  discovery = createDiscovery({ db: database.db })
  resources = createSpine(database.db).resources
})
afterAll(() => database.drop())

const query = (more: Partial<BrowseQuery> = {}): BrowseQuery => ({
  type: 'skills',
  limit: 50,
  offset: 0,
  full_heads: false,
  ...more,
})

test('a kind is listed by last change, newest first, without documents', async () => {
  const principal = await createPrincipal(database.db)
  const made = [
    await resources.create(principal, 'skills', { title: 'First' }),
    await resources.create(principal, 'skills', { title: 'Second', path: '/a' }),
  ]
  await resources.create(principal, 'neurons', { title: 'Other' })
  const gone = await resources.create(principal, 'skills', { title: 'Gone' })
  await resources.remove(principal, 'skills', gone.id)
  await resources.patch(principal, 'skills', made[0]?.id ?? '', { merge: { title: 'First again' } })
  const { data, heads, total } = await discovery.browse(principal, query())
  expect([heads, total]).toEqual([undefined, 2])
  expect(data).toEqual([
    {
      id: made[0]?.id,
      slug: 'first',
      type: 'skills',
      title: 'First again',
      path: '/',
      version: 2,
      created_at: made[0]?.created_at,
      updated_at: expect.any(String),
    },
    expect.objectContaining({ id: made[1]?.id, path: '/a', version: 1 }),
  ])
})

test('pages are contiguous, and a page past the end still contains the total', async () => {
  const principal = await createPrincipal(database.db)
  await placeResources(
    database.db,
    principal.workspace_id,
    Array.from({ length: 7 }, () => ({ path: '/' })),
  )
  const page = (offset: number) => discovery.browse(principal, query({ limit: 3, offset }))
  const pages = await Promise.all([0, 3, 6, 9].map(page))
  expect(pages.map(({ data, total }) => [data.length, total])).toEqual([
    [3, 7],
    [3, 7],
    [1, 7],
    [0, 7],
  ])
  expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(7)
})

test('heads in a list equal heads that are read one by one', async () => {
  const principal = await createPrincipal(database.db)
  const map = { stakeholders: [{ id: 'ann', name: 'Ann' }] }
  await resources.create(principal, 'stakeholder_maps', { title: 'Map', snapshot: map })
  await resources.create(principal, 'stakeholder_maps', { title: 'Empty' })
  const { data, heads } = await discovery.browse(principal, query({ type: 'stakeholder_maps', full_heads: true }))
  expect(data.map(({ id }) => id)).toEqual(heads?.map(({ id }) => id))
  expect(heads).toHaveLength(2)
  for (const head of heads ?? []) expect(head).toEqual(await resources.read(principal, 'stakeholder_maps', head.id))
})

test('a page of large heads ends early, and the next page continues from there', async () => {
  const principal = await createPrincipal(database.db)
  const placed = await placeResources(
    database.db,
    principal.workspace_id,
    Array.from({ length: 5 }, () => ({ path: '/' })),
  )
  await database.db.inWorkspace(principal.workspace_id, tx =>
    execute(tx, `update resources set document = json_build_object('instructions', repeat('x', 3000000))`),
  )
  const sizes: number[] = []
  const seen: string[] = []
  while (seen.length < placed.length) {
    const page = await discovery.browse(principal, query({ full_heads: true, offset: seen.length }))
    expect(page.data.map(({ id }) => id)).toEqual(page.heads?.map(({ id }) => id))
    sizes.push(page.data.length)
    seen.push(...page.data.map(({ id }) => id))
  }
  expect(sizes).toEqual([2, 2, 1])
  expect(new Set(seen).size).toBe(5)
})

test('brains that the caller cannot access, and brains outside the request, are neither listed nor counted', async () => {
  const principal = await createPrincipal(database.db)
  const wanted = [{ path: '/' }, { path: '/', brain_id: principal.first_brain }]
  await placeResources(database.db, principal.workspace_id, wanted)
  const count = async (caller: Principal) => {
    const { data, total } = await discovery.browse(caller, query())
    expect(data).toHaveLength(total)
    return total
  }
  expect(await count(principal)).toBe(2)
  expect(await count(boundTo(principal, principal.first_brain))).toBe(2)
  expect(await count(boundTo(principal, randomUUID()))).toBe(1)
  expect(await count(inBrain(principal, principal.first_brain))).toBe(2)
  expect(await count(inBrain(principal, randomUUID()))).toBe(1)
  expect((await discovery.browse(await createPrincipal(database.db), query())).total).toBe(0)
})
