import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { slugProblem, toSlug } from '../../../domain/shared/text/slug.ts'
import { titleProblem } from '../../../domain/shared/text/title.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createDownload } from '../../../services/documents/download.ts'
import { createRecollections } from '../../../services/agents/recollections.ts'
import { createSearchService } from '../../../services/search/search.ts'
import { awkwardText } from '../../support/shared/awkward-text.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { API_KEY_SECRET, createPrincipal } from '../../support/shared/workspace.ts'
import { ingestBody } from '../../../contract/documents/asset.ts'

let database: TestDatabase
let spine: ReturnType<typeof createSpine>
let ann: Awaited<ReturnType<typeof createPrincipal>>

beforeAll(async () => {
  database = await createTestDatabase()
  spine = createSpine(database.db)
  ann = await createPrincipal(database.db)
})
afterAll(() => database.drop())

const line = (maxLength: number) => awkwardText(maxLength).filter(text => titleProblem(text) === undefined)

const check = <T>(values: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(values, predicate), { numRuns: 60 })

test('each valid title creates a resource, even if the title is repeated', () =>
  check(line(200), async title => {
    const create = () => spine.resources.create(ann, 'skills', { title, document: {} })
    const slugs = [await create(), await create(), await create()].map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(3)
  }))

test('a title is rejected only because of the title itself, never because of its derived slug', async () => {
  for (const title of ['', ' ', 'a\nb', 'x'.repeat(201)]) {
    const creating = spine.resources.create(ann, 'skills', { title, document: {} })
    await expect(creating).rejects.toMatchObject({ details: [{ pointer: '/title' }] })
  }
})

test('each valid name creates a workspace', () => {
  const admin = createAccessAdmin({ db: database.db, secret: API_KEY_SECRET })
  const names = line(100).filter(name => /^[^\p{Cc}\p{Cs}]+$/u.test(name.trim()))
  return check(names, async name => {
    // Workspace slugs must differ, so each name gets a unique prefix unless no slug can be derived from it.
    const unique = toSlug(name) !== '' ? `${randomUUID()} ${name.slice(0, 60).toWellFormed()}` : name
    expect(slugProblem((await admin.createWorkspace({ name: unique })).slug)).toBeUndefined()
  })
})

test('each valid text can be remembered', async () => {
  const recollections = createRecollections({
    db: database.db,
    resources: spine.resources,
    search: createSearchService(database.db),
  })
  const { id } = await spine.resources.create(ann, 'neurons', { title: 'Memory', document: {} })
  const texts = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 300 })
    .filter(text => text.trim() !== '' && !text.includes('\0') && text.isWellFormed())
  await check(fc.oneof(texts, fc.constant('\u0001')), async text => {
    expect((await recollections.remember(ann, { neuron_id: id, text })).text).toBe(text)
  })
})

test('the file name of each artifact is a valid document name', () => {
  const download = createDownload({ db: database.db, resources: spine.resources })
  const types = fc.stringMatching(/^[A-Za-z0-9][\w.+-]{0,99}\/[A-Za-z0-9][\w.+-]{0,99}$/)
  const any = fc.oneof(types, fc.constantFrom('text/markdown', 'text/x-any', 'application/json'))
  return check(fc.tuple(line(200), any), async ([title, media_type]) => {
    const { id } = await spine.resources.create(ann, 'artifacts', { title, document: { content: '-', media_type } })
    const { file_name } = await download(ann, 'artifacts', id)
    expect(ingestBody.shape.file_name.safeParse(file_name).success).toBe(true)
  })
})
