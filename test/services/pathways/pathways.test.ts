import { randomUUID } from 'node:crypto'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { resourceVersionsTable } from '../../../data/resources/tables.ts'
import { Conflict, Forbidden, NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { inBrain } from '../../../services/access/brains.ts'
import type { PathwaysService } from '../../../services/pathways/pathways.ts'
import type { TestDatabase } from '../../support/stack/database.ts'
import {
  calling,
  createPathwayFixture,
  endNode,
  FIRST_PAGE,
  listProblems,
  unique,
  type PathwayFixture,
} from '../../support/pathways/pathways.ts'
import { API_KEY_SECRET, boundTo, createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let pathways: PathwaysService
let ann: PathwayFixture['ann']
let create: PathwayFixture['create']

beforeAll(async () => {
  ;({ database, pathways, ann, create } = await createPathwayFixture())
})
afterAll(() => database.drop())

describe('a pathway', () => {
  test('is created with its fields, and read by id and by slug', async () => {
    const definition = { ...calling(), input: { type: 'object', properties: { zebra: {}, apple: {} } } }
    const made = await create({ title: 'Größe prüfen', description: 'why', path: '/a/b', definition })
    expect(made).toMatchObject({
      slug: 'grosse-prufen',
      type: 'pathways',
      title: 'Größe prüfen',
      description: 'why',
      path: '/a/b',
      brain_id: ann.first_brain,
      is_active: true,
      version: 1,
      definition,
      deleted_at: null,
    })
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(await pathways.read(ann, made.id)).toEqual(made)
    expect(await pathways.read(ann, made.slug)).toEqual(made)
    expect(Object.keys(made.definition.input?.properties as object)).toEqual(['zebra', 'apple'])
  })

  test('in another workspace, with an unknown id or an invalid slug is not found', async () => {
    const { id, slug } = await create()
    const other = await createPrincipal(database.db)
    for (const address of [id, slug, randomUUID(), 'no such', '../etc', '%', 'x'.repeat(5_000)]) {
      await expect(pathways.read(other, address)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.patch(other, address, { title: 'x' })).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.remove(other, address)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.restore(other, address)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.history(other, address, FIRST_PAGE)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.dryRun(other, address, {})).rejects.toBeInstanceOf(NotFound)
    }
    for (const version of [0, 2, 99_999_999_999])
      await expect(pathways.read(ann, id, version)).rejects.toBeInstanceOf(NotFound)
  })

  test('has a unique slug among the live pathways of its workspace', async () => {
    const { slug } = await create()
    await expect(create({ slug })).rejects.toThrow(new Conflict(`The slug "${slug}" is taken`))
    const other = await create()
    await expect(pathways.patch(ann, other.id, { slug })).rejects.toThrow(Conflict)
    expect(await create({ slug }, await createPrincipal(database.db))).toMatchObject({ slug })
    await pathways.remove(ann, slug)
    expect(await create({ slug })).toMatchObject({ slug, version: 1 })
  })

  test('is listed newest first, in pages, with the total even past the end', async () => {
    const principal = await createPrincipal(database.db)
    const made = []
    for (const is_active of [true, false, true]) made.push((await create({ is_active }, principal)).id)
    const ids = async (page: Parameters<PathwaysService['list']>[1]) => {
      const { data, total } = await pathways.list(principal, page)
      return { ids: data.map(pathway => pathway.id), total }
    }
    expect(await ids(FIRST_PAGE)).toEqual({ ids: made.toReversed(), total: 3 })
    expect(await ids({ limit: 1, offset: 1 })).toEqual({ ids: [made[1]], total: 3 })
    expect(await ids({ limit: 1, offset: 9 })).toEqual({ ids: [], total: 3 })
    expect(await ids({ ...FIRST_PAGE, is_active: false })).toEqual({ ids: [made[1]], total: 1 })
  })
})

describe('versions', () => {
  test('every save creates a complete version, and older versions can be read', async () => {
    const made = await create({ title: 'One', slug: unique('one'), note: 'first' })
    const definition = { ...calling(), nodes: [endNode('changed')] }
    const second = await pathways.patch(ann, made.id, { title: 'Two', definition, note: 'second' })
    const third = await pathways.patch(ann, made.slug, { description: 'only this', is_active: false })
    expect([second.version, third.version]).toEqual([2, 3])
    expect(third).toMatchObject({ title: 'Two', description: 'only this', definition, is_active: false })
    expect(await pathways.read(ann, made.id, 1)).toMatchObject({
      version: 1,
      title: 'One',
      description: null,
      definition: made.definition,
      is_active: true,
    })
    expect(await pathways.read(ann, made.id, 2)).toMatchObject({ title: 'Two', description: null, definition })
    const { data, total } = await pathways.history(ann, made.id, FIRST_PAGE)
    expect(total).toBe(3)
    expect(data).toMatchObject([
      { version: 3, note: null },
      { version: 2, note: 'second', author: 'user:ann' },
      { version: 1, note: 'first' },
    ])
    const deltas = await database.db.inWorkspace(ann.workspace_id, tx =>
      select(
        tx,
        pick(resourceVersionsTable, 'delta'),
        'select delta from resource_versions where resource_id = $1 order by version',
        [made.id],
      ),
    )
    expect(deltas).toEqual([
      { delta: null },
      { delta: { changed: ['definition', 'title'], ops: expect.any(Array) } },
      { delta: { changed: expect.arrayContaining(['description', 'is_active']), ops: expect.any(Array) } },
    ])
  })

  test('twenty concurrent saves create twenty contiguous versions, and none is lost', async () => {
    const { id } = await create()
    const notes = Array.from({ length: 20 }, (_, i) => `save ${i}`)
    const saved = await Promise.all(notes.map(note => pathways.patch(ann, id, { title: note, note })))
    expect(saved.map(pathway => pathway.version).sort((a, b) => a - b)).toEqual(notes.map((_, i) => i + 2))
    const { data } = await pathways.history(ann, id, FIRST_PAGE)
    expect(data.map(version => version.version)).toEqual(Array.from({ length: 21 }, (_, i) => 21 - i))
    expect(new Set(data.slice(0, 20).map(version => version.note))).toEqual(new Set(notes))
    for (const { version, note } of data.slice(0, 20)) expect((await pathways.read(ann, id, version)).title).toBe(note)
  })

  test('only one of several saves that expect the same version is kept, and the others conflict', async () => {
    const { id } = await create()
    const saves = Array.from({ length: 8 }, (_, i) => pathways.patch(ann, id, { title: `save ${i}` }, 1))
    const done = await Promise.allSettled(saves)
    expect(done.filter(save => save.status === 'fulfilled')).toHaveLength(1)
    for (const save of done)
      if (save.status === 'rejected') expect(save.reason).toEqual(new Conflict('The pathway is at version 2, not 1'))
  })

  test('an empty save is rejected, and a failed save leaves no trace', async () => {
    const { id } = await create()
    await expect(pathways.patch(ann, id, {})).rejects.toBeInstanceOf(ValidationError)
    await expect(pathways.patch(ann, id, { note: 'only a note' })).rejects.toBeInstanceOf(ValidationError)
    await expect(pathways.patch(ann, id, { definition: null })).rejects.toBeInstanceOf(ValidationError)
    expect(await pathways.history(ann, id, FIRST_PAGE)).toMatchObject({ total: 1 })
  })
})

describe('deleted', () => {
  test('a deleted pathway disappears from reads, lists and history, and is restored unchanged', async () => {
    const principal = await createPrincipal(database.db)
    const made = await create({}, principal)
    await pathways.remove(principal, made.slug)
    for (const address of [made.id, made.slug]) {
      await expect(pathways.read(principal, address)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.patch(principal, address, { title: 'x' })).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.remove(principal, address)).rejects.toBeInstanceOf(NotFound)
      await expect(pathways.history(principal, address, FIRST_PAGE)).rejects.toBeInstanceOf(NotFound)
    }
    expect(await pathways.list(principal, FIRST_PAGE)).toEqual({ data: [], total: 0 })
    const back = await pathways.restore(principal, made.slug)
    expect(back).toEqual({ ...made, updated_at: back.updated_at })
    expect(await pathways.restore(principal, made.id)).toEqual(back)
  })

  test('a deleted pathway cannot be restored while its slug is taken', async () => {
    const made = await create()
    await pathways.remove(ann, made.id)
    await create({ slug: made.slug })
    await expect(pathways.restore(ann, made.id)).rejects.toThrow(new Conflict(`The slug "${made.slug}" is taken`))
  })
})

describe('brains', () => {
  test('a key bound to one brain reads shared pathways, and writes only in its own brain', async () => {
    const admin = createAccessAdmin({ db: database.db, secret: API_KEY_SECRET })
    const { id: other } = await admin.createBrain(ann.workspace_slug, { name: 'other' })
    const bound = boundTo(ann, ann.first_brain)
    const shared = await create({ scope: 'workspace' })
    const mine = await create({}, inBrain(bound, ann.first_brain))
    const theirs = await create({ brain_id: other })
    expect([mine.brain_id, theirs.brain_id]).toEqual([ann.first_brain, other])
    expect((await pathways.read(bound, shared.id)).id).toBe(shared.id)
    await expect(pathways.read(bound, theirs.id)).rejects.toBeInstanceOf(NotFound)
    await expect(pathways.patch(bound, shared.id, { title: 'x' })).rejects.toBeInstanceOf(Forbidden)
    await expect(pathways.patch(bound, mine.id, { brain_id: other })).rejects.toBeInstanceOf(Forbidden)
    expect(await create({}, bound)).toMatchObject({ brain_id: ann.first_brain })
    expect(await pathways.patch(bound, mine.id, { title: 'Mine' })).toMatchObject({ version: 2 })
    const ids = (await pathways.list(bound, { limit: 200, offset: 0 })).data.map(pathway => pathway.id)
    expect(ids).toEqual(expect.arrayContaining([shared.id, mine.id]))
    expect(ids).not.toContain(theirs.id)
    expect(
      await listProblems(create({ definition: calling(theirs.slug) }, inBrain(bound, ann.first_brain))),
    ).toHaveLength(1)
  })
})

test('a save without changes creates no version and no audit log entry', async () => {
  const definition = { ...calling(), nodes: [endNode('fine')] }
  const made = await create({ definition })
  const saved = await pathways.patch(ann, made.id, { title: made.title, definition: structuredClone(definition) })
  expect(saved).toEqual(made)
  expect(await pathways.history(ann, made.id, FIRST_PAGE)).toMatchObject({ total: 1 })
  await expect(pathways.patch(ann, made.id, { title: made.title }, 2)).rejects.toBeInstanceOf(Conflict)
  const lines = await database.db.inWorkspace(ann.workspace_id, tx =>
    select(tx, pick(auditLogTable, 'action'), 'select action from audit_log where target = $1', [made.id]),
  )
  expect(lines).toEqual([{ action: 'pathway.create' }])
})

test('a definition is checked as it would be on save, but is not saved', async () => {
  const definition = { ...calling(), nodes: [endNode('x')] }
  expect(await pathways.validate(ann, definition)).toEqual({ valid: true, problems: [], warnings: [] })
  const report = await pathways.validate(ann, { ...calling('no-such-pathway') })
  expect(report).toMatchObject({ valid: false, warnings: [] })
  expect(report.problems).toEqual(await listProblems(create({ definition: calling('no-such-pathway') })))
  expect((await pathways.validate(ann, 'text')).problems).not.toEqual([])
})

describe('a dry run', () => {
  test('walks the stored definition or the one in the request, and checks its input', async () => {
    const definition = { ...calling(), input: { type: 'object', required: ['n'] }, nodes: [endNode('${input.n}')] }
    const made = await create({ definition })
    expect(await pathways.dryRun(ann, made.slug, { input: { n: 3 } })).toMatchObject({ status: 'completed', result: 3 })
    expect(await listProblems(pathways.dryRun(ann, made.id, { input: {} }))).not.toEqual([])
    const sent = { ...calling(), nodes: [endNode('sent')] }
    expect(await pathways.dryRun(ann, made.id, { definition: sent })).toMatchObject({ result: 'sent' })
    expect(await listProblems(pathways.dryRun(ann, made.id, { definition: {} }))).not.toEqual([])
    expect(await listProblems(pathways.dryRun(ann, made.id, { input: { n: 3 }, outputs: { dnoe: 1 } }))).toEqual([
      { pointer: '/outputs/dnoe', message: 'must name a node of the pathway, such as done' },
    ])
    expect(await pathways.history(ann, made.id, FIRST_PAGE)).toMatchObject({ total: 1 })
  })

  test('of an unsaved definition needs no pathway', async () => {
    const definition = { ...calling(), nodes: [endNode('${input.n}')] }
    const report = await pathways.dryRunDefinition(ann, { definition, input: { n: 4 } })
    expect(report).toMatchObject({ title: 'Pathway', status: 'completed', result: 4, needs: [] })
    expect(await listProblems(pathways.dryRunDefinition(ann, { definition: {} }))).not.toEqual([])
    const outputs = { dnoe: 1 }
    expect(await listProblems(pathways.dryRunDefinition(ann, { definition, outputs }))).toHaveLength(1)
  })
})
