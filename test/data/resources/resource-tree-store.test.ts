import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { execute, selectOne } from '../../../data/shared/statements.ts'
import { json } from '../../../data/shared/table.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { countFolders, listChildren, listTree, type Children } from '../../../data/resources/resource-tree-store.ts'
import { joinPath, isWithin } from '../../../domain/resources/paths.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { type PlacedResource, placeResources } from '../../support/resources/placed-resources.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let workspace: string
let brains: [string, string]

beforeAll(async () => {
  database = await createTestDatabase()
  const principal = await createPrincipal(database.db)
  workspace = principal.workspace_id
  brains = [principal.first_brain, randomUUID()]
  await inside(tx => execute(tx, `insert into brains (id, name) values ($1, 'second')`, [brains[1]]))
})
afterAll(() => database.drop())

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace, work)

/** Names that sort on either side of the slash, and share a prefix. */
const name = fc.constantFrom('a', 'a b', 'a!', 'a-b', 'a.b', 'a0', 'ab', 'A', 'ä', '\u{10000}', '\uffee', '~')
const path = fc.array(name, { maxLength: 4 }).map(names => names.reduce(joinPath, ''))
const resource = fc.record({
  path,
  title: fc.constantFrom('x', 'X', 'x y', 'é', '\u{1f600}', '\uffee', '0'),
  brain: fc.constantFrom(null, 0, 1),
  kind: fc.constantFrom<ResourceKind>('skills', 'artifacts'),
})
/** The brains that the caller sees. `many` exceeds the limit for separate queries. */
const reach = fc.constantFrom('all', 'none', 'first', 'both', 'many')
type Reach = 'all' | 'none' | 'first' | 'both' | 'many'

function listBrains(reach: Reach): string[] | null {
  const [first, second] = brains
  const others = Array.from({ length: 30 }, () => randomUUID())
  return { all: null, none: [], first: [first], both: [second, first, second], many: [second, ...others] }[reach]
}

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byTitle = (a: PlacedResource, b: PlacedResource) => bytes(a.title, b.title) || bytes(a.id, b.id)
/** Compares names like the tree, not whole paths. */
const byPath = (a: string, b: string) => bytes(a.replaceAll('/', '\u0001'), b.replaceAll('/', '\u0001'))

let folders = 0

/** Creates resources in a new folder. */
async function context(given: { path: string; title: string; brain: 0 | 1 | null; kind: ResourceKind }[]) {
  const top = `/run ${(folders += 1)}`
  const placed = await placeResources(
    database.db,
    workspace,
    given.map(({ brain, path, ...more }) => ({
      ...more,
      path: top + path,
      brain_id: brain === null ? null : brains[brain],
    })),
  )
  const seenBy = (reach: Reach) => {
    const seen = listBrains(reach)
    return placed.filter(({ brain_id }) => seen === null || brain_id === null || seen.includes(brain_id))
  }
  return { top, seenBy }
}

describe('children', () => {
  /** Returns the elements of all pages. */
  async function allChildren(path: string, reach: Reach, limit: number): Promise<Children> {
    const all: Children = { folders: [], resources: [] }
    for (;;) {
      const last = all.resources.at(-1)
      const lastFolder = all.folders.at(-1)
      const after = last ?? (lastFolder === undefined ? undefined : { folder: lastFolder })
      const [found] = await inside(tx => listChildren(tx, [{ path, after }], { brain_ids: listBrains(reach), limit }))
      all.folders.push(...(found?.folders ?? []))
      all.resources.push(...(found?.resources ?? []))
      const got = (found?.folders.length ?? 0) + (found?.resources.length ?? 0)
      expect(got).toBeLessThanOrEqual(limit)
      if (got < limit) return all
    }
  }

  test('page by page, they include all visible resources, folders by name and resources by title', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(resource, { maxLength: 12 }),
        reach,
        fc.integer({ min: 1, max: 5 }),
        path,
        async (given, reach, limit, below) => {
          const { top, seenBy } = await context(given)
          const parent = top + below
          const seen = seenBy(reach)
          const names = seen
            .filter(({ path }) => path !== parent && isWithin(path, parent))
            .map(({ path }) => path.slice(parent.length + 1).split('/')[0] ?? '')
          const found = await allChildren(parent, reach, limit)
          expect(found.folders).toEqual([...new Set(names)].sort(bytes).map(name => joinPath(parent, name)))
          const own = seen.filter(({ path }) => path === parent).sort(byTitle)
          expect(found.resources.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of several parents are the same as if each parent had been requested alone', async () => {
    const { top } = await context(
      ['', '/a', '/a/b', '/c', '/c'].map(path => ({ path, title: 'x', brain: null, kind: 'skills' })),
    )
    const parents = [top, `${top}/c`, `${top}/none`, `${top}/a`].map(path => ({ path }))
    const one = (parent: { path: string }) => inside(tx => listChildren(tx, [parent], { brain_ids: null, limit: 3 }))
    const alone = await Promise.all(parents.map(one))
    const together = await inside(tx => listChildren(tx, parents, { brain_ids: null, limit: 3 }))
    expect(together).toEqual(alone.flat())
    expect(together.map(({ folders, resources }) => [folders.length, resources.length])).toEqual([
      [2, 1],
      [0, 2],
      [0, 0],
      [1, 1],
    ])
  })

  test('of the root are top-level folders, including those with only subfolders, and root resources', async () => {
    const other = await createPrincipal(database.db)
    const placed = await placeResources(database.db, other.workspace_id, [
      { path: '/' },
      { path: '/b/c' },
      { path: '/a' },
    ])
    const [found] = await database.db.inWorkspace(other.workspace_id, tx =>
      listChildren(tx, [{ path: '/' }], { brain_ids: null, limit: 10 }),
    )
    expect(found).toMatchObject({ folders: ['/a', '/b'], resources: [{ id: placed[0]?.id, path: '/' }] })
  })

  test('exclude deleted resources, and folders with only deleted resources', async () => {
    const { top, seenBy } = await context([
      { path: '/gone/deep', title: 'x', brain: null, kind: 'skills' },
      { path: '/kept', title: 'x', brain: null, kind: 'skills' },
    ])
    const gone = seenBy('all')[0]?.id
    await inside(tx => execute(tx, 'update resources set deleted_at = now() where id = $1', [gone]))
    const [found] = await inside(tx => listChildren(tx, [{ path: top }], { brain_ids: null, limit: 10 }))
    expect(found).toEqual({ folders: [`${top}/kept`], resources: [] })
  })
})

describe('a subtree', () => {
  test('is listed in tree order, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(resource, { maxLength: 12 }),
        reach,
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (given, reach, limit, onlyArtifacts) => {
          const { top, seenBy } = await context(given)
          const kinds: ResourceKind[] | undefined = onlyArtifacts ? ['artifacts'] : undefined
          const expected = seenBy(reach)
            .filter(({ kind }) => kinds?.includes(kind) ?? true)
            .sort((a, b) => byPath(a.path, b.path) || byTitle(a, b))
          const query = { brain_ids: listBrains(reach), kinds, limit }
          const found = await inside(tx => listTree(tx, top, query))
          for (let page = found; page.length === limit; found.push(...page))
            page = await inside(tx => listTree(tx, top, { ...query, after: found.at(-1) }))
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('is listed as folders, page by page, with the number of resources in each', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(resource, { maxLength: 12 }),
        reach,
        fc.integer({ min: 1, max: 3 }),
        async (given, reach, limit) => {
          const { top, seenBy } = await context(given)
          const paths = seenBy(reach).map(({ path }) => path)
          const query = { brain_ids: listBrains(reach), limit }
          const found = await inside(tx => countFolders(tx, top, query))
          for (let page = found; page.length === limit; found.push(...page))
            page = await inside(tx => countFolders(tx, top, { ...query, after: found.at(-1)?.path }))
          const expected = [...new Set(paths)].sort(byPath)
          expect(found).toEqual(
            expected.map(path => ({ path, resources: paths.filter(other => other === path).length })),
          )
        },
      ),
      { numRuns: 40 },
    )
  })
})

/** A node in the plan returned by `explain`. */
interface PlanNode {
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const EXPLAINED = { 'QUERY PLAN': json<{ Plan: PlanNode }[]>() }

/** Returns the number of `resources` rows that were read, whether used or not. */
async function rowsRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const plans: PlanNode[] = []
  await inside(async tx => {
    const explaining: Tx = {
      run: async (statement, parameters) => {
        const answer = await selectOne(tx, EXPLAINED, `explain (analyze, format json) ${statement}`, parameters)
        plans.push(...(answer?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan))
        return { rows: [], rowCount: 0 }
      },
    }
    return work(explaining)
  })
  const read = (node: PlanNode): number => {
    const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    const below = (node.Plans ?? []).map(read).reduce((sum, rows) => sum + rows, 0)
    return (node['Relation Name'] === 'resources' ? own : 0) + below
  }
  expect(plans).toHaveLength(1)
  return plans.map(read).reduce((sum, rows) => sum + rows, 0)
}

describe('reads of a large tree touch few rows', () => {
  let top: string

  beforeAll(async () => {
    const three = ['a', 'b', 'c'].flatMap(name => Array.from({ length: 1_000 }, (_, i) => `/${name}/${i % 100}`))
    const brain = (i: number): 0 | null => (i < 2_000 ? 0 : null)
    const placed = await context(three.map((path, i) => ({ path, title: `${i}`, brain: brain(i), kind: 'skills' })))
    top = placed.top
  })

  test('one index entry is read for each of three folders with a thousand resources', async () => {
    const list = (tx: Tx) => listChildren(tx, [{ path: top }], { brain_ids: null, limit: 51 })
    expect((await inside(list))[0]?.folders).toHaveLength(3)
    // Plan rows are rounded averages.
    expect(await rowsRead(list)).toBeLessThanOrEqual(6)
  })

  test('rows that the caller cannot see are not read', async () => {
    const list = (tx: Tx) => listChildren(tx, [{ path: top }], { brain_ids: [], limit: 51 })
    expect(await rowsRead(list)).toBeLessThanOrEqual(2)
    expect((await inside(list))[0]?.folders).toEqual([`${top}/c`])
    expect(await rowsRead(tx => listTree(tx, top, { brain_ids: [], limit: 10 }))).toBeLessThanOrEqual(20)
  })

  test('a page from any position reads few rows', async () => {
    const after = { path: `${top}/b/77`, title: '', id: randomUUID() }
    const list = (tx: Tx) => listTree(tx, top, { brain_ids: null, limit: 10, after })
    expect(await rowsRead(list)).toBeLessThanOrEqual(20)
  })
})
