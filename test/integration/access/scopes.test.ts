import type { ApiClient } from '../../support/clients/client.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()
let client: ApiClient
let brain: string
let bound: ApiClient

beforeAll(async () => {
  ;({ client, brain_id: brain } = context.workspace)
  bound = await context.workspace.boundTo(brain)
  await client.post('/v1/neurons', { title: 'Clerk', scope: 'workspace' })
})

interface Made {
  id: string
  asset?: { id: string }
}

let count = 0
const title = () => `Placed ${++count}`
const inBrain = () => ({ headers: { 'X-Brain-Id': brain } })

/** The routes that create resources, with the fields that they require besides a title. */
const ROUTES: [string, object][] = [
  ['/v1/neurons', {}],
  ['/v1/pathways', { definition: { schema: 'pathway/1', nodes: [{ id: 'end', type: 'end' }], edges: [] } }],
  ['/v1/receptors', { target: { type: 'neuron', ref: 'clerk' } }],
  ['/v1/skills', {}],
  ['/v1/meetings', {}],
  ['/v1/artifacts', { content: 'text' }],
  ['/v1/resources/stakeholder_maps', { document: {} }],
  ['/v1/assets/ingest', {}],
]

describe.each(ROUTES)('%s', (route, more) => {
  const create = async (fields: object, { as = client, ...options }: { as?: ApiClient; headers?: object } = {}) => {
    const name = title()
    const text = route.endsWith('ingest') ? { text: name } : {}
    const { status, body } = await as.post<Made>(route, { title: name, ...more, ...text, ...fields }, options as never)
    return { status, body: body.asset ?? body }
  }

  test('creates a resource in the requested scope', async () => {
    const place = (scope: string, brain_id: string | null) => ({ status: 201, body: { scope, brain_id } })
    expect(await create({})).toMatchObject(place('brain', brain))
    expect(await create({ scope: 'workspace' }, inBrain())).toMatchObject(place('workspace', null))
    expect(await create({ scope: 'workspace', brain_id: brain })).toMatchObject(place('workspace', null))
    expect(await create({ scope: 'brain' })).toMatchObject(place('brain', brain))
    expect(await create({ scope: 'brain' }, inBrain())).toMatchObject(place('brain', brain))
    expect(await create({ scope: 'brain', brain_id: brain })).toMatchObject(place('brain', brain))
    expect(await create({ scope: 'brain' }, { as: bound })).toMatchObject(place('brain', brain))
  })

  test('rejects the scope core and any scope that the caller may not use', async () => {
    const refused = { status: 403, body: { code: 'FORBIDDEN' } }
    expect(await create({ scope: 'core' })).toMatchObject(refused)
    expect(await create({ scope: 'workspace' }, { as: bound })).toMatchObject(refused)
    expect((await create({ scope: 'galaxy' })).status).toBe(400)
  })
})

test.each(ROUTES.slice(0, 5))('a PATCH of %s changes the scope', async (route, more) => {
  const { body: made } = await client.post<Made>(route, { title: title(), scope: 'workspace', ...more })
  const patch = (fields: object, options = {}) => client.patch(`${route}/${made.id}`, fields, options)
  const placed = (scope: string, brain_id: string | null) => ({ status: 200, body: { scope, brain_id } })
  expect(await patch({ scope: 'brain' }, inBrain())).toMatchObject(placed('brain', brain))
  expect(await patch({ scope: 'workspace' })).toMatchObject(placed('workspace', null))
  expect(await patch({ scope: 'brain' })).toMatchObject(placed('brain', brain))
  expect((await patch({ scope: 'core' })).status).toBe(403)
})

test('a PATCH in the catalog changes the scope in each of its forms', async () => {
  const { body: made } = await client.post<Made>('/v1/resources/skills', {
    title: title(),
    scope: 'workspace',
    document: {},
  })
  const patch = (change: object, options = {}) => client.post(`/v1/resources/skills/${made.id}/patch`, change, options)
  const set = (value: string) => ({ ops: [{ op: 'replace', path: '/scope', value }] })
  expect((await patch(set('brain'), inBrain())).body).toMatchObject({ scope: 'brain', brain_id: brain })
  expect((await patch(set('workspace'))).body).toMatchObject({ scope: 'workspace', brain_id: null })
  expect((await patch({ merge: { scope: 'brain', brain_id: brain } })).body).toMatchObject({ scope: 'brain' })
  expect((await patch({ merge: { brain_id: null } })).body).toMatchObject({ scope: 'workspace' })
  expect(await patch({ merge: { scope: 'core' } })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await patch(set('galaxy'))).toMatchObject({ status: 400, body: { details: [{ pointer: '/scope' }] } })
})
