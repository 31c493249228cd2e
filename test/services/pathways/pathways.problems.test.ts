import { randomUUID } from 'node:crypto'
import { Conflict } from '../../../domain/shared/errors.ts'
import { toSlug } from '../../../domain/shared/text/slug.ts'
import { pinAll, resolvePinned } from '../../../services/pathways/pinning.ts'
import type { PathwaysService } from '../../../services/pathways/pathways.ts'
import type { TestDatabase } from '../../support/stack/database.ts'
import {
  calling,
  createPathwayFixture,
  endNode,
  listProblems,
  unique,
  type PathwayFixture,
} from '../../support/pathways/pathways.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let pathways: PathwaysService
let ann: PathwayFixture['ann']
let create: PathwayFixture['create']

beforeAll(async () => {
  ;({ database, pathways, ann, create } = await createPathwayFixture())
})
afterAll(() => database.drop())

describe('problems', () => {
  test('every problem is listed with its JSON pointer', async () => {
    const definition = {
      ...calling('no-such', `${unique('nor')}@3`),
      edges: [{ from: 'call0', to: 'nowhere' }],
    }
    const fields = { title: ' ', slug: 'Not One', path: 'a//b', brain_id: 'x', note: '\u0000', definition }
    const pointers = (await listProblems(create(fields))).map(problem => problem.pointer)
    expect(pointers).toEqual(
      expect.arrayContaining([
        '/title',
        '/slug',
        '/path',
        '/brain_id',
        '/note',
        '/definition/nodes/0/ref',
        '/definition/nodes/1/ref',
      ]),
    )
    expect(pointers.filter(pointer => pointer.startsWith('/definition/edges'))).not.toEqual([])
  })

  test('a title that yields no usable slug gets a generated one, and so does a title whose slug is taken', async () => {
    expect((await create({ title: '發票' })).slug).toMatch(/^pathway-[0-9a-f]{8}$/)
    const title = unique('Same')
    const [one, two] = await Promise.all([create({ title }), create({ title })])
    expect(one.slug).not.toBe(two.slug)
    expect(two.slug.startsWith(toSlug(title)) && one.slug.startsWith(toSlug(title))).toBe(true)
    await expect(create({ title, slug: one.slug })).rejects.toThrow(Conflict)
  })

  test('a missing title, and text that cannot be stored', async () => {
    expect(await listProblems(create({ title: undefined }))).toMatchObject([{ pointer: '/title' }])
    const definition = { ...calling(), nodes: [endNode('a\u0000b')] }
    expect(await listProblems(create({ definition }))).toMatchObject([{ pointer: '/definition' }])
    expect(await listProblems(create({ slug: randomUUID() }))).toMatchObject([{ pointer: '/slug' }])
    expect(await listProblems(create({ brain_id: randomUUID() }))).toMatchObject([{ pointer: '/brain_id' }])
  })

  test('a value that is not a definition', async () => {
    for (const definition of [null, 1, 'x', [], {}, { nodes: 'x' }, { nodes: [null, { type: 'pathway' }], edges: [] }])
      expect(await listProblems(create({ definition }))).not.toEqual([])
  })
})

describe('references', () => {
  test('to a slug, an id and a version are pinned to the current definition, at any depth', async () => {
    const leaf = await create()
    await pathways.patch(ann, leaf.id, {
      title: 'Leaf, later',
      definition: { ...calling(), nodes: [endNode('later')] },
    })
    const middle = await create({ definition: calling(`${leaf.slug}@1`, leaf.id) })
    const body = { nodes: [{ id: 'inner', type: 'pathway', ref: middle.slug }], edges: [] }
    const each = { id: 'each', type: 'map', items: '${input.items}', body }
    const definition = { schema: 'pathway/1', nodes: [each, endNode('fine')], edges: [{ from: 'each', to: 'done' }] }
    const root = await create({ definition })
    const pinned = await database.db.inWorkspace(ann.workspace_id, tx => pinAll(tx, root.definition, ann))
    expect(pinned.subflows).toEqual({
      [middle.slug]: expect.objectContaining({ id: middle.id, version: 1, definition: middle.definition }),
      [`${leaf.slug}@1`]: expect.objectContaining({ version: 1, title: leaf.title, definition: leaf.definition }),
      [leaf.id]: expect.objectContaining({ slug: leaf.slug, version: 2, title: 'Leaf, later' }),
    })
  })

  test('an unresolved reference is reported as a problem at its location, even in a body', async () => {
    const leaf = await create()
    const body = { nodes: [{ id: 'inner', type: 'pathway', ref: `${leaf.slug}@2` }], edges: [] }
    const turns = { id: 'turns', type: 'loop', until: 'iteration > 1', max: 2, body }
    const definition = { schema: 'pathway/1', nodes: [turns, endNode('fine')], edges: [{ from: 'turns', to: 'done' }] }
    expect(await listProblems(create({ definition }))).toEqual([
      { pointer: '/definition/nodes/0/body/nodes/0/ref', message: `there is no pathway "${leaf.slug}@2"` },
    ])
    const other = await createPrincipal(database.db)
    expect(await listProblems(create({ definition: calling(leaf.id) }, other))).toMatchObject([
      { pointer: '/definition/nodes/0/ref' },
    ])
  })

  test('that form a cycle are rejected when the cycle is closed', async () => {
    const a = await create()
    const b = await create({ definition: calling(a.slug) })
    const c = await create({ definition: calling(b.id) })
    for (const ref of [a.slug, a.id, b.slug, c.id])
      expect(await listProblems(pathways.patch(ann, a.id, { definition: calling(ref) }))).toMatchObject([
        { pointer: '/definition/nodes/0/ref', message: expect.stringContaining('cycle') },
      ])
    const older = await pathways.patch(ann, a.id, { definition: calling(`${a.slug}@1`) })
    expect(older.version).toBe(2)
  })

  test('are allowed up to eight levels deep', async () => {
    let ref = (await create()).slug
    for (let depth = 2; depth <= 8; depth++) ref = (await create({ definition: calling(ref) })).slug
    const deepest = await create({ definition: calling(ref) })
    expect(await listProblems(create({ definition: calling(deepest.slug) }))).toEqual([
      { pointer: '/definition/nodes/0/ref', message: 'must be nested at most 8 pathways deep' },
    ])
    const pinned = await database.db.inWorkspace(ann.workspace_id, tx => pinAll(tx, deepest.definition, ann))
    expect(Object.keys(pinned.subflows)).toHaveLength(8)
  })

  test('a diamond with many paths is followed only once per pathway', async () => {
    let refs = [(await create()).slug]
    for (let depth = 2; depth <= 8; depth++) {
      const made = await Promise.all(Array.from({ length: 3 }, () => create({ definition: calling(...refs) })))
      refs = made.map(pathway => pathway.slug)
    }
    const root = await create({ definition: calling(...refs) })
    const pinned = await database.db.inWorkspace(ann.workspace_id, tx => pinAll(tx, root.definition, ann))
    expect(Object.keys(pinned.subflows)).toHaveLength(22)
  })

  test('a run resolves only references that exist, are enabled and are not deleted', async () => {
    const made = await create({ definition: calling((await create()).slug) })
    const resolve = (ref: string) => database.db.inWorkspace(ann.workspace_id, tx => resolvePinned(tx, ref, ann))
    for (const ref of [made.id, made.slug, `${made.slug}@1`])
      expect(await resolve(ref)).toEqual({
        id: made.id,
        slug: made.slug,
        version: 1,
        title: made.title,
        definition: made.definition,
      })
    for (const ref of ['', 'no such', `${made.slug}@2`, `${made.slug}@0`, `${made.slug}@x`, '@1', randomUUID()])
      expect(await resolve(ref)).toBeUndefined()
    await pathways.patch(ann, made.id, { is_active: false })
    await expect(resolve(made.slug)).rejects.toThrow(new Conflict(`The pathway "${made.slug}" is inactive`))
    await pathways.remove(ann, made.id)
    expect(await resolve(made.id)).toBeUndefined()
  })
})

test('a save that is accepted returns warnings about possible failures in a run', async () => {
  const input = { type: 'object', properties: { note: { type: 'string' } } }
  const reading = (output: string) => ({ ...calling(), input, nodes: [endNode(output)] })
  const made = await create({ definition: reading('${input.note}') })
  const warnings = [
    {
      pointer: '/definition/nodes/0/output',
      message: 'input.note is optional: test it with has(input.note), or give it a default',
    },
  ]
  expect(made.warnings).toEqual(warnings)
  expect((await pathways.patch(ann, made.id, { title: 'Other' })).warnings).toEqual(warnings)
  const patched = await pathways.patch(ann, made.id, { definition: reading('${has(input.note)}') })
  expect(patched).not.toHaveProperty('warnings')
  expect((await pathways.restore(ann, made.id, { version: 1 })).warnings).toEqual(warnings)
})
