import { readFileSync } from 'node:fs'
import { applyCoreTo, coreDefinitions, type CoreDefinition } from '../../../services/shared/core.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createDiscovery } from '../../../services/resources/discovery/discovery.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let spine: ReturnType<typeof createSpine>
let ann: Principal

const SECRET = 'Never mention the merger.'
const neuron = (instructions: string): CoreDefinition => ({
  kind: 'neurons',
  slug: 'guide',
  title: 'Guide',
  path: '/',
  document: { description: 'Shows the way', instructions, tools: [] },
})
const apply = (definitions: CoreDefinition[]) => applyCoreTo(database.db, definitions, ann.workspace_slug)

beforeAll(async () => {
  database = await createTestDatabase()
  spine = createSpine(database.db)
  ann = await createPrincipal(database.db)
})
afterAll(() => database.drop())

test('definitions are written once, and written again only when they change', async () => {
  expect(await apply([neuron(SECRET)])).toEqual({ workspaces: 1, resources: 1 })
  expect(await apply([neuron(SECRET)])).toEqual({ workspaces: 1, resources: 0 })
  expect(await apply([neuron(`${SECRET} Be kind.`)])).toEqual({ workspaces: 1, resources: 1 })
  expect(await spine.resources.read(ann, 'neurons', 'guide')).toMatchObject({ scope: 'core', version: 2 })
})

test('core resources do not reveal hidden fields in any read, version, history or comparison', async () => {
  const seen = [
    await spine.resources.read(ann, 'neurons', 'guide'),
    await spine.resources.read(ann, 'neurons', 'guide', 1),
    await spine.resources.list(ann, 'neurons', { limit: 10, offset: 0 }),
    await spine.resources.history(ann, 'neurons', 'guide', { limit: 10, offset: 0 }),
    await spine.resources.diff(ann, 'neurons', 'guide', { from: 1, to: 'live' }),
  ]
  expect(JSON.stringify(seen)).not.toContain('merger')
  expect(JSON.stringify(seen)).toContain('Shows the way')
})

test('principals of the workspace cannot change or delete core resources', async () => {
  const refused = expect.objectContaining({ code: 'FORBIDDEN' })
  const change = { merge: { document: { instructions: 'Mine now' } } }
  await expect(spine.resources.patch(ann, 'neurons', 'guide', change)).rejects.toEqual(refused)
  await expect(spine.resources.remove(ann, 'neurons', 'guide')).rejects.toEqual(refused)
})

test('principals of the workspace cannot move core resources, neither alone nor with their folder', async () => {
  await apply([{ ...neuron(SECRET), slug: 'guard', path: '/service/desk' }])
  const { id, version } = await spine.resources.read(ann, 'neurons', 'guard')
  const { move } = createDiscovery({ db: database.db })
  const to = { path: '/mine', move_profile: 'broad' as const }
  const refusal = (pointer: string, message: string) =>
    expect.objectContaining({ code: 'FORBIDDEN', status: 403, details: [{ pointer, message }] })
  await expect(move(ann, { ...to, resource_ids: [id], folders: [] })).rejects.toEqual(
    refusal('/resource_ids/0', 'belongs to the service and cannot be moved'),
  )
  await expect(move(ann, { ...to, resource_ids: [], folders: ['/service'] })).rejects.toEqual(
    refusal('/folders/0', 'contains 1 that belong to the service and cannot be moved'),
  )
  expect(await spine.resources.read(ann, 'neurons', 'guard')).toMatchObject({ path: '/service/desk', version })
})

test('a slug that the workspace already uses is not taken over', async () => {
  await spine.resources.create(ann, 'neurons', { title: 'Own', slug: 'own', document: {} })
  await expect(apply([{ ...neuron(SECRET), slug: 'own' }])).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('an invalid definition is rejected with a pointer', async () => {
  await expect(apply([{ ...neuron(SECRET), document: { temperature: 9 } }])).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [expect.objectContaining({ pointer: '/0/document/temperature' })],
  })
})

test('the built-in definitions can be applied', async () => {
  const own = coreDefinitions.parse(JSON.parse(readFileSync('deploy/core.json', 'utf8')))
  const { resources } = await apply(own)
  expect(resources).toBe(own.length)
})
