import { randomUUID } from 'node:crypto'
import type { Principal } from '../../../domain/access/principal.ts'
import { createMcpToolkits } from '../../../services/tools/mcp-toolkits.ts'
import type { Browser } from '../../support/clients/browser.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { ToolkitDetail, ToolkitView } from '../../../contract/tools/mcp-toolkit.ts'

/** Toolkits that a signed-in builder creates for MCP clients. */

const context = useStack()
const PATH = '/v1/mcp-toolkits'
const INPUT = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }

let builder: Browser
let invoice: Named
let helper: Named

interface Named {
  id: string
  slug: string
}

beforeAll(async () => {
  builder = await signInAs(context.stack, context.workspace, 'user:bea', 'builder')
  invoice = await create('/v1/pathways', {
    title: 'Pay an invoice',
    slug: 'pay-invoice',
    description: 'Checks and pays',
    definition: { ...pathway([{ id: 'say', type: 'transform', with: { value: 1 } }]), input: INPUT },
  })
  helper = await create('/v1/neurons', { title: 'Helper', slug: 'helper', model: 'builtin:extractive' })
})

async function create(path: string, body: object, client = context.workspace.client): Promise<Named> {
  const { status, body: made } = await client.post<Named>(path, body)
  if (status !== 201) throw new Error(JSON.stringify(made))
  return made
}

const send = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
  const reply = await builder.send(method, path, body, headers)
  return { ...reply, body: reply.body as unknown as ToolkitDetail & { details?: object[] } }
}

const make = async (fields: object) => (await send('POST', PATH, { name: 'Finance', tools: [], ...fields })).body

const runInvoice = () => ({ type: 'pathway', ref: 'pay-invoice' })

/** Lists the tools that a workspace key gets from an MCP server. */
const listTools = (id: string, brain_ids: string[] | null = null) => {
  const { id: workspace_id, slug: workspace_slug } = context.workspace
  const person = { actor: 'key:mcp', person: 'key:mcp', people: ['key:mcp'] }
  const caller = { ...person, key_id: randomUUID(), groups: [], permissions: new Set<never>() }
  const principal: Principal = { workspace_id, workspace_slug, brain_ids, ...caller }
  return createMcpToolkits({ db: context.stack.database.db }).listTools(principal, id)
}

test('a toolkit is created, read by id and slug, replaced and deleted', async () => {
  const tools = [runInvoice(), { type: 'neuron', ref: helper.id, name: 'ask', description: 'Asks for help' }]
  const made = await send('POST', PATH, { name: 'Accounts payable', description: 'For clerks', tools })
  expect(made.status).toBe(201)
  expect(made.headers.get('etag')).toBe('"1"')
  expect(made.body).toMatchObject({
    slug: 'accounts-payable',
    name: 'Accounts payable',
    description: 'For clerks',
    created_by: 'user:bea',
    version: 1,
    tools: [
      {
        type: 'pathway',
        ref: invoice.id,
        name: 'run_pay_invoice',
        description: null,
        resource: { slug: 'pay-invoice', title: 'Pay an invoice', version: 1, is_active: true },
        input_schema: INPUT,
      },
      {
        type: 'neuron',
        ref: helper.id,
        name: 'ask',
        description: 'Asks for help',
        input_schema: { type: 'object', required: ['message'] },
      },
    ],
  })
  const { id } = made.body
  expect(made.headers.get('location')).toBe(`${PATH}/${id}`)
  for (const address of [id, 'accounts-payable'])
    expect((await send('GET', `${PATH}/${address}`)).body).toEqual(made.body)
  const replaced = await send('PUT', `${PATH}/${id}`, { name: 'Payables', tools: tools.slice(1) })
  expect(replaced).toMatchObject({
    status: 200,
    body: { slug: 'accounts-payable', name: 'Payables', description: null, version: 2, tools: [{ name: 'ask' }] },
  })
  expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await send(method, `${PATH}/${id}`)).status).toBe(404)
})

test('a list contains the tools without their schemas, in pages', async () => {
  const { id } = await make({ tools: [runInvoice()] })
  const { body } = await builder.send('GET', `${PATH}?limit=200`)
  const { data } = body as unknown as { data: ToolkitView[] }
  const resource = { slug: 'pay-invoice', title: 'Pay an invoice', version: 1, is_active: true }
  const listed = { type: 'pathway', ref: invoice.id, name: 'run_pay_invoice', description: null, resource }
  expect(data.find(toolkit => toolkit.id === id)?.tools).toEqual([listed])
  const paged = (await builder.send('GET', `${PATH}?limit=1&offset=1000`)).body
  expect(paged).toMatchObject({ data: [], pagination: { limit: 1, offset: 1000, has_more: false } })
})

describe('a slug', () => {
  test('is unique: a derived slug gets a suffix, and a requested one returns 409', async () => {
    const first = await make({ name: 'Twice' })
    const second = await make({ name: 'Twice' })
    expect([first.slug, second.slug]).toEqual(['twice', expect.stringMatching(/^twice-.{8}$/)])
    expect((await send('POST', PATH, { name: 'Other', slug: 'twice', tools: [] })).status).toBe(409)
    expect((await send('PUT', `${PATH}/${second.id}`, { name: 'Other', slug: 'twice', tools: [] })).status).toBe(409)
  })

  test('cannot be the slug of a built-in toolkit', async () => {
    expect((await make({ name: 'Search' })).slug).toMatch(/^search-.{8}$/)
    const tools = [{ type: 'pathway', ref: 'none' }]
    const { status, body } = await send('POST', PATH, { name: 'Mine', slug: 'search', tools })
    expect({ status, details: body.details }).toEqual({
      status: 400,
      details: [
        { pointer: '/slug', message: 'must not be the slug of a built-in toolkit' },
        { pointer: '/tools/0/ref', message: 'there is no pathway "none"' },
      ],
    })
  })
})

describe('the tools', () => {
  test("must exist and be visible from the request's brain", async () => {
    const brain = await context.workspace.newBrain()
    const hidden = await create('/v1/neurons', { title: 'Hidden', model: 'builtin:extractive' }, await inBrain(brain))
    const foreign = await context.stack.workspace()
    const theirs = await create('/v1/neurons', { title: 'Theirs', model: 'builtin:extractive' }, foreign.client)
    const deleted = await create('/v1/neurons', { title: 'Deleted', model: 'builtin:extractive' })
    await context.workspace.client.del(`/v1/neurons/${deleted.id}`)
    const refs = [randomUUID(), theirs.id, deleted.id, hidden.id, invoice.id]
    const tools = refs.map(ref => ({ type: 'neuron', ref }))
    const headers = { 'X-Brain-Id': context.workspace.brain_id }
    const { status, body } = await send('POST', PATH, { name: 'Wrong', tools }, headers)
    expect(status).toBe(400)
    expect(body.details).toEqual(
      refs.map((ref, i) => ({ pointer: `/tools/${i}/ref`, message: `there is no neuron "${ref}"` })),
    )
    expect((await send('POST', PATH, { name: 'Right', tools: [{ type: 'neuron', ref: hidden.id }] })).status).toBe(201)
  })

  test('have unique names that MCP clients accept', async () => {
    const named = (name: string) => ({ ...runInvoice(), name })
    const { body } = await send('POST', PATH, { name: 'Twins', tools: [named('pay'), named('pay')] })
    expect(body.details).toEqual([{ pointer: '/tools/1/name', message: 'another tool has the name "pay"' }])
    const derived = await make({ tools: [runInvoice(), runInvoice(), named('run_pay_invoice')] })
    expect(derived.tools.map(({ name }) => name)).toEqual(['run_pay_invoice_2', 'run_pay_invoice_3', 'run_pay_invoice'])
    for (const name of ['', '1st', 'a b', 'ü', 'x'.repeat(65)])
      expect([name, (await send('POST', PATH, { name: 'Bad', tools: [named(name)] })).status]).toEqual([name, 400])
    const many = Array.from({ length: 51 }, runInvoice)
    expect((await send('POST', PATH, { name: 'Many', tools: many })).status).toBe(400)
  })

  test('accept an object', async () => {
    const definition = { ...pathway([{ id: 'say', type: 'transform', with: { value: 1 } }]), input: { type: 'array' } }
    const { id } = await create('/v1/pathways', { title: 'List', definition })
    const { body } = await send('POST', PATH, { name: 'Lists', tools: [{ type: 'pathway', ref: id }] })
    expect(body.details).toEqual([
      { pointer: '/tools/0/ref', message: `the input of the pathway "${id}" must be an object` },
    ])
  })

  test('have no alternatives at the root of their input schema, because clients drop them, and calls are checked against the full schema', async () => {
    const { client } = context.workspace
    const input = {
      type: 'object',
      properties: { note: { type: 'string' } },
      anyOf: [
        { properties: { iban: { type: 'string' } }, required: ['iban'] },
        { properties: { card: { type: 'string' } }, required: ['card'] },
      ],
    }
    const definition = { ...pathway([{ id: 'say', type: 'transform', with: { value: 1 } }]), input }
    const { id } = await create('/v1/pathways', { title: 'Pay somehow', definition })
    const { tools } = await make({ tools: [{ type: 'pathway', ref: id }] })
    expect(tools[0]?.input_schema).toEqual({
      type: 'object',
      properties: { iban: { type: 'string' }, card: { type: 'string' }, note: { type: 'string' } },
      description: 'Not every combination is valid. The error message explains why a combination was rejected.',
    })
    expect((await client.post(`/v1/pathways/${id}/execute`, { input: { note: 'neither' } })).status).toBe(400)
  })

  test('of a deleted, purged or disabled resource are listed for the toolkit but not offered to clients', async () => {
    const { client } = context.workspace
    const made = await Promise.all(
      ['Gone', 'Purged', 'Off'].map(title => create('/v1/neurons', { title, model: 'builtin:extractive' })),
    )
    const [gone, purged, off] = made.map(({ id }) => id)
    const toolkit = await make({ tools: [...made.map(({ id }) => ({ type: 'neuron', ref: id })), runInvoice()] })
    await client.del(`/v1/neurons/${gone}`)
    const { body } = await client.del<{ job_id: string }>(`/v1/resources/neurons/${purged}?purge=true`)
    await jobWith(client, body.job_id)
    await client.patch(`/v1/neurons/${off}`, { is_active: false })
    const { tools } = (await send('GET', `${PATH}/${toolkit.id}`)).body
    expect(tools.map(({ resource }) => resource)).toEqual([
      null,
      null,
      expect.objectContaining({ slug: 'off', is_active: false }),
      expect.objectContaining({ slug: 'pay-invoice' }),
    ])
    expect(tools.slice(0, 2).map(({ input_schema }) => input_schema)).toEqual([null, null])
    expect(await listTools(toolkit.id)).toEqual([
      {
        name: 'run_pay_invoice',
        title: 'Pay an invoice',
        description: 'Checks and pays',
        input_schema: INPUT,
        target: { type: 'pathway', id: invoice.id, version: 1 },
      },
    ])
  })

  test('of brains that a key may not access are not offered to the key', async () => {
    const brain = await context.workspace.newBrain()
    const inside = await create('/v1/neurons', { title: 'Inside', model: 'builtin:extractive' }, await inBrain(brain))
    const toolkit = await make({ tools: [runInvoice(), { type: 'neuron', ref: inside.id }] })
    const namesFor = async (brains: string[] | null) => (await listTools(toolkit.slug, brains)).map(({ name }) => name)
    expect(await namesFor(null)).toEqual(['run_pay_invoice', 'run_inside'])
    expect(await namesFor([brain])).toEqual(['run_inside'])
    expect(await namesFor([context.workspace.brain_id])).toEqual(['run_pay_invoice'])
  })
})

const inBrain = (brain: string) => context.workspace.boundTo(brain)

test('a change with an outdated version returns 409', async () => {
  const { id } = await make({})
  const change = (version: string) => send('PUT', `${PATH}/${id}`, { name: 'New', tools: [] }, { 'If-Match': version })
  expect((await change('"2"')).status).toBe(409)
  expect((await change('"1"')).body).toMatchObject({ version: 2 })
  expect((await change('"1"')).status).toBe(409)
})

test('toolkits in another workspace are not found', async () => {
  const { id, slug } = await make({})
  const other = await context.stack.workspace()
  const stranger = await signInAs(context.stack, other, 'user:sam', 'owner')
  for (const address of [id, slug])
    for (const method of ['GET', 'DELETE']) expect((await stranger.send(method, `${PATH}/${address}`)).status).toBe(404)
  expect((await stranger.send('PUT', `${PATH}/${id}`, { name: 'Mine', tools: [] })).status).toBe(404)
  expect((await stranger.send('GET', PATH)).body).toMatchObject({ data: [], pagination: { total: 0 } })
})
