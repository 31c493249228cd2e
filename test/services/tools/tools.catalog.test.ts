import type { Principal } from '../../../domain/access/principal.ts'
import { DOCUMENT_KINDS } from '../../../domain/resources/kinds/index.ts'
import { BUILTIN_TOOLS, SEARCHED_KINDS } from '../../../domain/tools/builtin.ts'
import { findReflexes, resolveTools, type ToolReference } from '../../../services/tools/catalog.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'

let database: TestDatabase
let resources: ResourcesService
let principal: Principal & { first_brain: string }

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ resources } = createSpine(database.db))
  principal = await createPrincipal(database.db)
})
afterAll(() => database.drop())

const reflex = (slug: string, document: object, more: object = {}) =>
  resources.create(principal, 'reflexes', { title: slug, slug, document, ...more })
const resolve = (refs: ToolReference[], reader: { brain_ids: string[] | null } = principal) =>
  database.db.inWorkspace(principal.workspace_id, async tx => {
    const names = refs.map(({ reflex: name }) => name)
    return resolveTools(await findReflexes(tx, reader, names), refs)
  })
const http = (path: string) => ({ method: 'GET', path, server: 'https://api.test' })

test('the built-in search covers documents of all kinds', () => {
  expect([...SEARCHED_KINDS]).toEqual(DOCUMENT_KINDS)
})

test('a built-in reflex offers all tools, or the tools that it lists', async () => {
  await reflex('all', {})
  await reflex('some', { tools: [{ name: 'calculate' }, { name: 'current_time' }] })
  const { tools } = await resolve([{ reflex: 'all' }])
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'search',
      'read_resource',
      'read_file',
      'write_artifact',
      'http_fetch',
      'ask_human',
      'remember',
      'recall',
    ]),
  )
  expect((await resolve([{ reflex: 'some' }])).tools).toMatchObject([
    { name: 'calculate', effect: 'read', source: 'builtin', reflex: { slug: 'some', version: 1 } },
    { name: 'current_time' },
  ])
})

test('tools with the same name are prefixed with their reflex', async () => {
  const tool = { name: 'look_up', http: http('/a') }
  await reflex('crm-one', { source: 'openapi', tools: [tool, { name: 'only', http: http('/b') }] })
  await reflex('crm-two', { source: 'openapi', tools: [tool] })
  const { tools, problems } = await resolve([{ reflex: 'crm-one' }, { reflex: 'crm-two' }])
  expect(tools.map(({ name }) => name)).toEqual(['crm_one_look_up', 'only', 'crm_two_look_up'])
  expect(problems).toEqual([])
  expect((await resolve([{ reflex: 'crm-one' }, { reflex: 'crm-one', names: ['look_up'] }])).tools).toHaveLength(2)
})

test('a pathway and a neuron are available as tools, at their current versions', async () => {
  const definition = {
    schema: 'pathway/1',
    input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    nodes: [{ id: 'done', type: 'end' }],
    edges: [],
  }
  const pathway = await resources.create(principal, 'pathways', {
    title: 'Refund',
    document: { description: 'Gives money back', definition },
  })
  const neuron = await resources.create(principal, 'neurons', { title: 'Lawyer', document: { instructions: 'x' } })
  await reflex('refund-tool', { source: 'pathway', target: 'refund' })
  await reflex('ask-lawyer', {
    source: 'neuron',
    target: 'lawyer@1',
    tools: [{ name: 'lawyer', description: 'Knows the law' }],
  })
  const { tools } = await resolve([{ reflex: 'refund-tool' }, { reflex: 'ask-lawyer' }])
  expect(tools).toMatchObject([
    {
      name: 'refund_tool',
      description: 'Gives money back',
      parameters: definition.input,
      effect: 'write',
      target: `${pathway.id}@1`,
    },
    { name: 'lawyer', description: 'Knows the law', parameters: { required: ['message'] }, target: `${neuron.id}@1` },
  ])
  await expect(reflex('lost', { source: 'pathway', target: 'nowhere' })).rejects.toMatchObject({
    details: [{ pointer: '/document/target', message: 'there is no pathway "nowhere"' }],
  })
})

test('unavailable tools are reported with their location: unknown, disabled or not accessible', async () => {
  await reflex('asleep', {}, { is_active: false })
  await reflex('of-all', {}, { scope: 'workspace' })
  const { id } = await reflex('of-the-brain', {}, { brain_id: principal.first_brain })
  const { tools, problems } = await resolve(
    [{ reflex: 'nobody' }, { reflex: 'asleep' }, { reflex: id }, { reflex: 'of-all', names: ['search', 'fly'] }],
    { brain_ids: [] },
  )
  expect(tools.map(({ name }) => name)).toEqual(['search'])
  expect(problems.map(({ pointer }) => pointer)).toEqual(['/0/reflex', '/1/reflex', '/2/reflex', '/3/names/1'])
})

test('an older version keeps its original tools', async () => {
  const { id } = await reflex('changing', { tools: [{ name: 'calculate' }] })
  await resources.patch(principal, 'reflexes', id, { merge: { document: { tools: [{ name: 'search' }] } } })
  const names = async (ref: string) => (await resolve([{ reflex: ref }])).tools.map(({ name }) => name)
  expect([await names('changing@1'), await names(id)]).toEqual([['calculate'], ['search']])
})

describe('saving', () => {
  const paths = { '/a': { get: { operationId: 'a', responses: {} } } }
  const openapi = { openapi: '3.1.0', info: { title: 'A', version: '1' }, servers: [{ url: 'https://a.test' }], paths }

  test('parses an OpenAPI document into tools, and again on a patch', async () => {
    const made = await reflex('api', { source: 'openapi', openapi })
    expect(made.document).toMatchObject({ tools: [{ name: 'a', effect: 'read' }] })
    expect(made.document).not.toHaveProperty('openapi')
    const merge = { document: { openapi: { ...openapi, paths: { '/b': { post: { responses: {} } } } } } }
    const { document } = await resources.patch(principal, 'reflexes', made.id, { merge })
    expect(document).toMatchObject({ tools: [{ name: 'post_b', effect: 'write' }] })
  })

  test.each([
    [
      'an external reference',
      { source: 'openapi', openapi: { ...openapi, paths: { '/a': { $ref: 'x.yaml' } } } },
      '/openapi/paths/~1a/$ref',
    ],
    ['an MCP server without a URL', { source: 'mcp' }, '/url'],
    ['a URL that is not HTTP', { source: 'mcp', url: 'file:///etc/passwd' }, '/url'],
    ['a document without an API description', { source: 'openapi' }, '/url'],
    ['a pathway without a target', { source: 'pathway' }, '/target'],
    ['an invalid target', { target: 'x' }, '/target'],
    ['a repeated name', { tools: [{ name: 'a' }, { name: 'a' }] }, '/tools/1/name'],
    ['an API tool without a request', { source: 'openapi', tools: [{ name: 'a' }] }, '/tools/0/http'],
    ['a secret without a fixed host', { secrets: { Accept: 'x' } }, '/secrets'],
    ['an unknown built-in tool', { tools: [{ name: 'search' }, { name: 'serch' }] }, '/tools/1/name'],
  ])('rejects %s', async (_, document, pointer) => {
    await expect(reflex('refused', document)).rejects.toMatchObject({
      details: expect.arrayContaining([expect.objectContaining({ pointer: `/document${pointer}` })]),
    })
  })

  test('lists the built-in tools if a name is unknown', async () => {
    const message = `must be one of ${Object.keys(BUILTIN_TOOLS).join(', ')}`
    await expect(reflex('misspelt', { tools: [{ name: 'serch' }] })).rejects.toMatchObject({
      details: [{ pointer: '/document/tools/0/name', message }],
    })
  })
})
