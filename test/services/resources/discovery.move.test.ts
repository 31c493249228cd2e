import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { execute, select } from '../../../data/shared/statements.ts'
import { bigint, pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { resourcesTable } from '../../../data/resources/tables.ts'
import { joinPath, isWithin, getBaseName } from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { inBrain } from '../../../services/access/brains.ts'
import { createDiscovery, type DiscoveryService } from '../../../services/resources/discovery/discovery.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { type PlacedResource, placeResources, listPlaces } from '../../support/resources/placed-resources.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { boundTo, createPrincipal } from '../../support/shared/workspace.ts'
import type { MoveRequest } from '../../../contract/resources/discovery.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'

let database: TestDatabase
let discovery: DiscoveryService
let resources: ResourcesService

beforeAll(async () => {
  database = await createTestDatabase(20)
  discovery = createDiscovery({ db: database.db })
  resources = createSpine(database.db).resources
})
afterAll(() => database.drop())

type Who = Awaited<ReturnType<typeof createPrincipal>>

async function withResources(wanted: ({ path: string } & Partial<PlacedResource>)[]) {
  const principal = await createPrincipal(database.db)
  const placed = await placeResources(database.db, principal.workspace_id, wanted)
  return { principal, placed, ids: placed.map(({ id }) => id) }
}

const request = (more: Partial<MoveRequest>): MoveRequest => ({
  resource_ids: [],
  folders: [],
  path: '/',
  move_profile: 'broad',
  ...more,
})
const move = (principal: Principal, more: Partial<MoveRequest>) => discovery.move(principal, request(more))
const places = async (principal: Who, ids: string[]) => {
  const all = await listPlaces(database.db, principal.workspace_id)
  return ids.map(id => all.get(id))
}

/** Returns the problems of a move that was rejected. */
async function refused(moving: Promise<unknown>): Promise<Record<string, string>> {
  const error = await moving.then(
    () => undefined,
    (error: unknown) => error as { code: string; details: { pointer: string; message: string }[] },
  )
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
  return Object.fromEntries((error?.details ?? []).map(({ pointer, message }) => [pointer, message]))
}

test('resources from any folders are moved to the folder', async () => {
  const { principal, ids } = await withResources([{ path: '/' }, { path: '/a/b' }, { path: '/x' }, { path: '/stays' }])
  const moved = ids.slice(0, 3)
  expect(await move(principal, { resource_ids: [...moved, moved[0]?.toUpperCase() ?? ''], path: '/x' })).toEqual({
    moved: moved.map(id => ({ id, path: '/x' })),
    folders: [],
    total: 3,
  })
  expect(await places(principal, ids)).toEqual(['/x', '/x', '/x', '/stays'])
})

test('a folder keeps its name and contents when it is moved', async () => {
  const { principal, ids } = await withResources(['/a/b', '/a/b/c', '/a/b/c d', '/a', '/a/bc'].map(path => ({ path })))
  const { moved, ...rest } = await move(principal, { folders: ['/a/b'], path: '/x/y' })
  expect(rest).toEqual({ folders: [{ from: '/a/b', path: '/x/y/b', resources: 3 }], total: 3 })
  expect(new Map(moved.map(({ id, path }) => [id, path]))).toEqual(
    new Map([
      [ids[0], '/x/y/b'],
      [ids[1], '/x/y/b/c'],
      [ids[2], '/x/y/b/c d'],
    ]),
  )
  expect(await places(principal, ids)).toEqual(['/x/y/b', '/x/y/b/c', '/x/y/b/c d', '/a', '/a/bc'])
  await move(principal, { folders: ['/x/y/b'], path: '/' })
  expect(await places(principal, ids)).toEqual(['/b', '/b/c', '/b/c d', '/a', '/a/bc'])
})

test('folders with the same name are merged at the destination', async () => {
  const { principal, ids } = await withResources(['/a/n', '/b/n/z', '/x/n'].map(path => ({ path })))
  await move(principal, { folders: ['/a/n', '/b/n'], path: '/x' })
  expect(await places(principal, ids)).toEqual(['/x/n', '/x/n/z', '/x/n'])
})

test('any set of resources and folders ends up in the right place, and nothing else moves', async () => {
  const name = fc.constantFrom('a', 'b', 'a b', 'ü\u{1f600}')
  const path = fc.array(name, { maxLength: 4 }).map(names => `/${names.join('/')}`)
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 10 }), path, path, path, async (paths, to, one, two) => {
      const { principal, ids } = await withResources(paths.map(path => ({ path })))
      const wanted = [one, two].filter(folder => paths.some(path => isWithin(path, folder)))
      const folders = [...new Set(wanted)]
      const named = ids.filter((_, i) => i % 3 === 0 && !folders.some(folder => isWithin(paths[i] ?? '', folder)))
      const sound =
        folders.every(folder => folder !== '/' && !isWithin(to, folder)) &&
        !folders.some(folder => folders.some(other => other !== folder && isWithin(folder, other)))
      const moving = move(principal, { resource_ids: named, folders, path: to })
      if (named.length + folders.length > 0 && sound) await moving
      else await moving.catch(() => undefined)
      const expected = paths.map((path, i) => {
        if (!sound) return path
        if (named.includes(ids[i] ?? '')) return to
        const folder = folders.find(folder => isWithin(path, folder))
        return folder === undefined ? path : joinPath(to, getBaseName(folder)) + path.slice(folder.length)
      })
      expect(await places(principal, ids)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

describe('a move', () => {
  test('creates no version, keeps the modification time, and sends search a higher revision', async () => {
    const principal = await createPrincipal(database.db)
    const before = await resources.create(principal, 'skills', { title: 'Skill' })
    const state = () =>
      database.db.inWorkspace(principal.workspace_id, tx =>
        select(
          tx,
          { ...pick(resourcesTable, 'revision'), told: bigint() },
          `select revision, (select max(told.revision) from search_outbox told where told.resource_id = resources.id) as told
             from resources`,
        ),
      )
    const [first] = await state()
    await move(principal, { resource_ids: [before.id], path: '/new' })
    expect(await resources.read(principal, 'skills', before.id)).toEqual({ ...before, path: '/new' })
    expect((await resources.history(principal, 'skills', before.id, { limit: 9, offset: 0 })).total).toBe(1)
    const [second] = await state()
    expect(second?.revision).toBeGreaterThan(first?.revision ?? 0)
    expect(second?.told).toBe(second?.revision)
    await move(principal, { resource_ids: [before.id], path: '/new' })
    expect(await state()).toEqual([second])
  })

  test('creates one audit log entry', async () => {
    const { principal, ids } = await withResources([{ path: '/a' }, { path: '/b' }, { path: '/b/c' }])
    await move(principal, { resource_ids: ids.slice(0, 1), folders: ['/b'], path: '/x' })
    await refused(move(principal, { folders: ['/nowhere'] }))
    const lines = await database.db.inWorkspace(principal.workspace_id, tx =>
      select(
        tx,
        pick(auditLogTable, 'actor', 'action', 'target', 'details'),
        `select actor, action, target, details from audit_log where action like '%.move'`,
      ),
    )
    expect(lines).toEqual([
      {
        actor: 'user:ann',
        action: 'resource.move',
        target: '/x',
        details: {
          total: 3,
          resources: 1,
          resource_ids: ids.slice(0, 1),
          folders: [{ from: '/b', path: '/x/b', resources: 2 }],
          move_profile: 'broad',
        },
      },
    ])
  })

  test('of many resources returns the first thousand and counts all of them', async () => {
    const { principal } = await withResources(Array.from({ length: 2_500 }, (_, i) => ({ path: `/many/${i % 7}` })))
    const { moved, total, folders } = await move(principal, { folders: ['/many'], path: '/x' })
    expect([moved.length, total, folders[0]?.resources]).toEqual([1_000, 2_500, 2_500])
    const paths = [...(await listPlaces(database.db, principal.workspace_id)).values()]
    expect(paths.every(path => path.startsWith('/x/many/'))).toBe(true)
  })
})

describe('a move is rejected as a whole', () => {
  test('with the obstacle for each resource', async () => {
    const other = await withResources([{ path: '/' }])
    const { principal, ids } = await withResources([
      { path: '/a', kind: 'assets' },
      { path: '/a', kind: 'pathways' },
      { path: '/b', kind: 'neurons' },
      { path: '/b/c', kind: 'neurons' },
      { path: '/b/c', kind: 'meetings' },
      { path: '/gone', kind: 'assets' },
    ])
    await database.db.inWorkspace(principal.workspace_id, tx =>
      execute(tx, 'update resources set deleted_at = now() where id = $1', [ids[5]]),
    )
    const unknown = randomUUID()
    const problems = await refused(
      move(principal, {
        resource_ids: [ids[0] ?? '', ids[1] ?? '', unknown, other.ids[0] ?? '', ids[4] ?? '', ids[5] ?? ''],
        folders: ['/nowhere', '/b', '/gone'],
        path: '/x',
        move_profile: 'document',
      }),
    )
    expect(problems).toEqual({
      '/resource_ids/1': 'is a pathway, not a document',
      '/resource_ids/2': 'does not exist',
      '/resource_ids/3': 'does not exist',
      '/resource_ids/4': 'is inside another folder in this request',
      '/resource_ids/5': 'does not exist',
      '/folders/0': 'does not exist',
      '/folders/1': 'contains 2 that are not documents, such as a neuron',
      '/folders/2': 'does not exist',
    })
    expect(await places(principal, ids.slice(0, 5))).toEqual(['/a', '/a', '/b', '/b/c', '/b/c'])
  })

  test('if folders would be moved into themselves or each other', async () => {
    const { principal, ids } = await withResources(['/a/b', '/c'].map(path => ({ path })))
    const into = (path: string, ...folders: string[]) => refused(move(principal, { folders, path }))
    expect(await into('/a', '/a')).toEqual({ '/folders/0': 'cannot be moved into itself' })
    expect(await into('/a/b/c', '/c', '/a')).toEqual({ '/folders/1': 'cannot be moved into itself' })
    expect(await into('/x', '/')).toEqual({ '/folders/0': 'must not be the root' })
    expect(await into('/x', '/a/b', '/a')).toEqual({ '/folders/0': 'is inside another folder in this request' })
    expect(await places(principal, ids)).toEqual(['/a/b', '/c'])
    await move(principal, { folders: ['/a/b'], path: '/a' })
    expect(await places(principal, ids)).toEqual(['/a/b', '/c'])
  })

  test('if a path would become too long in bytes', async () => {
    const deep = `/a/${'ü'.repeat(400)}`
    const { principal, ids } = await withResources([{ path: deep }, { path: '/a' }])
    const long = `/${'x'.repeat(200)}`
    const problems = await refused(move(principal, { folders: ['/a'], path: long }))
    expect(problems).toEqual({ '/folders/0': 'contains 1 that would have a path longer than 1000 bytes' })
    expect(await refused(move(principal, { folders: ['/a'], path: `/${'x'.repeat(998)}` }))).toEqual({
      '/folders/0': 'would have a path longer than 1000 bytes',
    })
    expect(await places(principal, ids)).toEqual([deep, '/a'])
    await move(principal, { folders: ['/a'], path: `/${'x'.repeat(195)}` })
    expect(Buffer.byteLength((await places(principal, ids))[0] ?? '')).toBe(999)
  })

  test('if the credential may not write, and resources that it may not see stay hidden', async () => {
    const principal = await createPrincipal(database.db)
    const second = randomUUID()
    await database.db.inWorkspace(principal.workspace_id, tx =>
      execute(tx, `insert into brains (id, name) values ($1, 'second')`, [second]),
    )
    const placed = await placeResources(database.db, principal.workspace_id, [
      { path: '/a', brain_id: principal.first_brain },
      { path: '/a', brain_id: second },
      { path: '/b' },
      { path: '/c', brain_id: second },
    ])
    const ids = placed.map(({ id }) => id)
    const bound = boundTo(principal, principal.first_brain)
    expect(await refused(move(bound, { resource_ids: ids, folders: [], path: '/x' }))).toEqual({
      '/resource_ids/1': 'does not exist',
      '/resource_ids/2': 'cannot be moved with this credential',
      '/resource_ids/3': 'does not exist',
    })
    expect(await refused(move(bound, { folders: ['/b', '/c'], path: '/x' }))).toEqual({
      '/folders/0': 'contains 1 that cannot be moved with this credential',
      '/folders/1': 'does not exist',
    })
    expect(await places(principal, ids)).toEqual(['/a', '/a', '/b', '/c'])
    // Only the resources that the caller can see are moved with a folder.
    expect((await move(bound, { folders: ['/a'], path: '/x' })).total).toBe(1)
    expect(await places(principal, ids)).toEqual(['/x/a', '/a', '/b', '/c'])
    expect((await move(inBrain(principal, second), { folders: ['/a'], path: '/y' })).total).toBe(1)
    expect(await places(principal, ids)).toEqual(['/x/a', '/y/a', '/b', '/c'])
  })

  test('if a folder contains more resources than one move allows', async () => {
    const { principal, ids } = await withResources(Array.from({ length: 12 }, (_, i) => ({ path: `/huge/${i % 2}` })))
    const few = createDiscovery({ db: database.db, maxMoved: 10 })
    expect(await refused(few.move(principal, request({ folders: ['/huge'], path: '/x' })))).toEqual({
      '/folders': 'must contain at most 10 resources; move its contents in several requests',
    })
    expect(await refused(few.move(principal, request({ folders: ['/huge/0', '/huge/1'], path: '/x' })))).toHaveProperty(
      '/folders',
    )
    expect(new Set(await places(principal, ids))).toEqual(new Set(['/huge/0', '/huge/1']))
    expect((await few.move(principal, request({ folders: ['/huge/0'], path: '/x' }))).total).toBe(6)
  })
})

describe('at the same time', () => {
  test('moves of the same resources in any order all succeed, and each resource ends up at one of their destinations', async () => {
    const { principal, ids } = await withResources(Array.from({ length: 200 }, (_, i) => ({ path: `/f/${i % 5}` })))
    const targets = ['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8']
    const shuffled = (by: number) => ids.toSorted((a, b) => a.charCodeAt(by) - b.charCodeAt(by))
    await Promise.all(targets.map((path, i) => move(principal, { resource_ids: shuffled(i), path })))
    const ends = new Set(await places(principal, ids))
    expect(ends.size).toBe(1)
    expect(targets).toContain([...ends][0])
  })

  test('two folders moved into each other end up as if one move had come first', async () => {
    for (let i = 0; i < 5; i++) {
      const { principal, ids } = await withResources([{ path: '/a' }, { path: '/b' }, { path: '/b/c' }])
      const outcomes = await Promise.allSettled([
        move(principal, { folders: ['/a'], path: '/b' }),
        move(principal, { folders: ['/b'], path: '/a' }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect([
        ['/a/b/a', '/a/b', '/a/b/c'],
        ['/b/a', '/b/a/b', '/b/a/b/c'],
      ]).toContainEqual(await places(principal, ids))
    }
  })

  test('concurrent document changes and folder moves do not overwrite each other', async () => {
    const principal = await createPrincipal(database.db)
    const made = await Promise.all(
      [1, 2, 3].map(i => resources.create(principal, 'skills', { title: `Skill ${i}`, path: '/a/b' })),
    )
    const patches = made.flatMap(({ id }) =>
      Array.from({ length: 10 }, (_, i) =>
        resources.patch(principal, 'skills', id, { merge: { document: { instructions: `${i}` } } }),
      ),
    )
    const moves = async () => {
      const way = ['/a', '/x', '/y', '/z']
      for (const [i, path] of way.slice(1).entries()) await move(principal, { folders: [`${way[i]}/b`], path })
    }
    await Promise.all([...patches, moves()])
    for (const { id } of made) {
      const { path, version } = await resources.read(principal, 'skills', id)
      expect([path, version]).toEqual(['/z/b', 11])
      const history = await resources.history(principal, 'skills', id, { limit: 50, offset: 0 })
      expect(history.data.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    }
  })
})
