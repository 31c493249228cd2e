import { randomUUID } from 'node:crypto'
import type { Browser } from '../../support/clients/browser.ts'
import { type ApiClient, createClient } from '../../support/clients/client.ts'
import { findMarker } from '../../support/shared/find-marker.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { type ApiServer, type McpTestServer, startApiServer, startMcpServer } from '../../support/tools/tool-servers.ts'
import type { ReflexView } from '../../../contract/tools/reflex.ts'
import type { SecretView } from '../../../contract/tools/secret.ts'

/** Tests workspace secrets, which are created through the API and sent in calls from runs. */

/** The stores are shared with other tests. */
const MARKER = `marker${randomUUID().slice(0, 8)}`
const VALUE = `Bearer ${MARKER}`

let stack: Stack
let workspace: TestWorkspace
let admin: Browser
let api: ApiServer
let mcp: McpTestServer

beforeAll(async () => {
  ;[api, mcp] = await Promise.all([startApiServer(), startMcpServer()])
  const SECRETS = JSON.stringify({ operators: { value: 'x', hosts: ['example.com'] } })
  stack = await startStack({ env: { SECRETS } })
  workspace = await stack.workspace({ actor: 'user:ann' })
  admin = await signInAs(stack, workspace, 'user:ada', 'admin')
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all([api?.close(), mcp?.close()])
})

const hostOf = ({ url }: { url: string }) => new URL(url).host

async function save(name: string, fields: { value?: string; hosts?: string[] } = {}, browser = admin) {
  const reply = await browser.send('PUT', `/v1/secrets/${name}`, {
    value: fields.value ?? VALUE,
    hosts: fields.hosts ?? [hostOf(api)],
  })
  return { status: reply.status, body: reply.body as unknown as SecretView & { code?: string; details?: object[] } }
}

const callNode = (secret: string) =>
  pathway([{ id: 'call', type: 'http', with: { url: `${api.url}/v1/called`, headers: { authorization: { secret } } } }])

const finishedRun = async (client: ApiClient, definition: object) => jobWith(client, await startRun(client, definition))

const lastSent = (path: string) => api.calls.findLast(({ url }) => url === path)?.headers.authorization

test('a secret can be created, listed without its value, replaced and deleted', async () => {
  const made = await save('crm', { hosts: ['crm.example.com'] })
  expect(made).toMatchObject({
    status: 200,
    body: { name: 'crm', hosts: ['crm.example.com'], created_by: 'user:ada', is_overridden: false },
  })
  const replaced = await save('crm', { value: 'Bearer other', hosts: ['crm.example.org'] })
  expect(replaced.body).toMatchObject({ hosts: ['crm.example.org'], created_at: made.body.created_at })
  const listed = await admin.send('GET', '/v1/secrets')
  expect(listed.body).toMatchObject({ data: [replaced.body], pagination: { total: 1 } })
  for (const value of [MARKER, 'Bearer']) expect(JSON.stringify([made, replaced, listed])).not.toContain(value)
  expect((await admin.send('DELETE', '/v1/secrets/crm')).status).toBe(204)
  expect((await admin.send('DELETE', '/v1/secrets/crm')).status).toBe(404)
})

test('invalid values, hosts and names are rejected with a pointer, without revealing the value', async () => {
  const wrong: [string, object, string][] = [
    ['a', { value: `${MARKER}\n` }, '/value'],
    ['a', { value: '' }, '/value'],
    ['a', { value: MARKER.repeat(2_000) }, '/value'],
    ['a', { hosts: [] }, '/hosts'],
    ['a', { hosts: ['https://example.com'] }, '/hosts/0'],
    ['a', { hosts: ['*.example.com'] }, '/hosts/0'],
    ['-a', {}, '/name'],
    ['a%20b', {}, '/name'],
  ]
  for (const [name, fields, pointer] of wrong) {
    const { status, body } = await save(name, fields)
    expect([fields, status, body.details]).toEqual([fields, 400, [expect.objectContaining({ pointer })]])
    expect(JSON.stringify(body)).not.toContain(MARKER)
  }
})

test('owners, admins and keys with the permission can manage secrets', async () => {
  const builder = await signInAs(stack, workspace, 'user:bea', 'builder')
  expect((await save('mine', {}, builder)).status).toBe(403)
  expect((await builder.send('GET', '/v1/secrets')).status).toBe(403)
  const put = (key: string) =>
    createClient(stack.baseUrl, key).call('PUT', '/v1/secrets/mine', { value: VALUE, hosts: ['example.com'] })
  expect((await put(workspace.api_key)).status).toBe(403)
  const given = { name: 'deployment', permissions: ['secrets:manage'] }
  const { body } = await admin.send('POST', '/v1/api-keys', given)
  expect((await put(body.api_key)).status).toBe(200)
  const bound = await admin.send('POST', '/v1/api-keys', { ...given, brain_ids: [workspace.brain_id] })
  expect(bound.status).toBe(400)
})

test('an operator secret cannot be replaced', async () => {
  expect(await save('operators')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

describe('a workspace secret', () => {
  test('is sent by http nodes, tools and MCP servers, with the value that it has at the time of the call', async () => {
    const { client } = workspace
    const reflex = { source: 'openapi', openapi: api.document, server_url: `${api.url}/v1` }
    const signed = { ...reflex, title: 'Pets', secrets: { Authorization: 'sent' } }
    const { body: early } = await client.post<ReflexView & { warnings?: object[] }>('/v1/reflexes', signed)
    expect(early.warnings).toMatchObject([{ pointer: '/secrets/Authorization' }])
    await save('sent', { hosts: [hostOf(api), hostOf(mcp)] })
    const { body: late } = await client.patch<object>(`/v1/reflexes/${early.id}`, { description: 'Pets' })
    expect(late).not.toHaveProperty('warnings')
    expect((await client.post('/v1/tools/listPets/call', {})).status).toBe(200)
    expect(lastSent('/v1/pets')).toBe(VALUE)
    expect(await finishedRun(client, callNode('sent'))).toMatchObject({ status: 'completed' })
    expect(lastSent('/v1/called')).toBe(VALUE)
    const server = { title: 'Weather', source: 'mcp', url: `${mcp.url}/mcp`, secrets: { Authorization: 'sent' } }
    const tools = [{ name: 'book', parameters: { type: 'object' } }]
    await client.post('/v1/reflexes', { ...server, tools })
    expect((await client.post('/v1/tools/book/call', { arguments: { people: 2 } })).status).toBe(200)
    expect(mcp.calls.findLast(({ tool }) => tool === 'book')?.authorization).toBe(VALUE)
    await save('sent', { value: 'Bearer next' })
    await finishedRun(client, callNode('sent'))
    expect(lastSent('/v1/called')).toBe('Bearer next')
    await admin.send('DELETE', '/v1/secrets/sent')
    expect(await finishedRun(client, callNode('sent'))).toMatchObject({ error: { code: 'SECRET_NOT_AVAILABLE' } })
  })

  test('is sent only to its hosts, and never for another workspace', async () => {
    await save('elsewhere', { hosts: ['crm.example.com'] })
    await save('ours')
    const other = await stack.workspace()
    const before = api.calls.length
    for (const [client, name] of [
      [workspace.client, 'elsewhere'],
      [other.client, 'ours'],
    ] as const)
      expect(await finishedRun(client, callNode(name))).toMatchObject({ error: { code: 'SECRET_NOT_AVAILABLE' } })
    expect(api.calls.length).toBe(before)
    const log = stack.worker.output().split('\n')
    for (const [name, reason] of [
      ['elsewhere', 'not for this host'],
      ['ours', 'no such secret'],
    ])
      expect(log.some(line => line.includes(`"secret":"${name}"`) && line.includes(`${reason}`))).toBe(true)
  })

  test('does not appear in any record, stream, index, history or log', async () => {
    await save('hidden')
    const run = await finishedRun(workspace.client, callNode('hidden'))
    expect(lastSent('/v1/called')).toBe(VALUE)
    const seen = [run, await readEvents(workspace.client, run.job_id), stack.api.output(), stack.worker.output()]
    expect(JSON.stringify(seen)).toContain('[redacted]')
    expect(JSON.stringify(seen)).not.toContain(MARKER)
    expect(await findMarker(stack, workspace.id, MARKER)).toEqual([])
  })
})
