import { OPERATOR } from '../../data/audit/audit-store.ts'
import { ROLES, type Role } from '../../domain/access/permissions.ts'
import { createAccessAdmin } from '../../services/access/admin.ts'
import { createMembers } from '../../services/access/members.ts'
import { createSessions } from '../../services/access/credentials/sessions.ts'
import { type Browser, createBrowser } from '../support/clients/browser.ts'
import { createClient } from '../support/clients/client.ts'
import { waitUntil } from '../support/stack/process.ts'
import { jobWith } from '../support/runs/runs.ts'
import { signInAs } from '../support/access/sign-in.ts'
import type { TestWorkspace } from '../support/stack/stack.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** Attempts to act as someone else, or to grant permissions that the caller lacks. */

const context = useStack()

interface Person {
  browser: Browser
  send: Browser['send']
}

/** Signs in a member whose groups were assigned by an operator. */
async function join(actor: string, role: Role, groups: string[] = [], workspace = context.workspace): Promise<Person> {
  const browser = await signInAs(context.stack, workspace, actor, role)
  await createMembers({ db: context.stack.database.db }).save(operatorOf(workspace), { actor, role, groups })
  return { browser, send: browser.send }
}

const operatorOf = ({ id }: Pick<TestWorkspace, 'id'>) => ({ workspace_id: id, ...OPERATOR })
const withKey = (key: string) => createClient(context.stack.baseUrl, key)

let owner: Person
let admin: Person
beforeAll(async () => {
  owner = await join('user:olga', 'owner', ['group:board'])
  admin = await join('user:adam', 'admin', ['group:sales'])
  await join('user:bea', 'builder')
})

describe('API keys', () => {
  const create = (by: Person, fields: object) => by.send('POST', '/v1/api-keys', { name: 'x', ...fields })

  test.each([
    ['another member', 'user:bea', 403],
    ['the owner', 'user:olga', 403],
    ['a stranger', 'user:nobody', 403],
    ['a visitor', 'share:0192f0c4-0000-7000-8000-000000000001', 400],
    ['a guest', 'guest:ann@example.com', 400],
    ['a trigger', 'trigger:nightly', 400],
    ['a service key', 'key:robot', 400],
    ['a group', 'group:sales', 400],
  ])('never act as %s', async (_who, actor, status) => {
    expect((await create(admin, { actor })).status).toBe(status)
  })

  test('act as their creator, or are owned by their creator', async () => {
    const own = await create(admin, { actor: 'user:adam', groups: ['group:sales'] })
    expect(own).toMatchObject({ status: 201, body: { actor: 'user:adam', owner: null, created_by: 'user:adam' } })
    const service = await create(admin, { name: 'adams' })
    expect(service).toMatchObject({ status: 201, body: { actor: 'key:adams', owner: 'user:adam' } })
    expect((await create(admin, { owner: 'user:bea' })).status).toBe(400)
  })

  test('belong only to groups of their creator', async () => {
    expect((await create(admin, { name: 'board', groups: ['group:board'] })).status).toBe(403)
    expect((await create(owner, { name: 'board', groups: ['group:board'] })).status).toBe(201)
    const { body } = await create(owner, { name: 'grows' })
    const grown = await owner.send('PUT', `/v1/api-keys/${body.id}`, { name: 'grows', groups: ['group:sales'] })
    expect(grown.status).toBe(403)
  })

  test('can be changed and rotated only by their person, and revoked by every access manager', async () => {
    const { body } = await create(owner, { name: 'owners', actor: 'user:olga' })
    const path = `/v1/api-keys/${body.id}`
    expect((await admin.send('POST', `${path}/rotate`, {})).status).toBe(403)
    expect((await admin.send('PUT', path, { name: 'taken' })).status).toBe(403)
    expect((await owner.send('POST', `${path}/rotate`, {})).status).toBe(201)
    expect((await admin.send('DELETE', path)).status).toBe(204)
    const { data } = (await admin.send('GET', '/v1/api-keys?limit=200')).body as unknown as { data: KeyFields[] }
    const unowned = data.find(({ actor, owner }) => actor.startsWith('key:') && owner === null)
    const nobodys = unowned?.id ?? (await unownedKey()).id
    expect((await owner.send('POST', `/v1/api-keys/${nobodys}/rotate`, {})).status).toBe(403)
  })

  test("cannot use the name of someone else's service key", async () => {
    await create(owner, { name: 'payments' })
    const taken = await create(admin, { name: 'payments' })
    expect(taken).toMatchObject({ status: 409, body: { message: expect.stringContaining('"payments"') } })
    const { body } = await create(admin, { name: 'harmless' })
    expect((await admin.send('PUT', `/v1/api-keys/${body.id}`, { name: 'payments' })).status).toBe(409)
    expect((await create(owner, { name: 'payments' })).status).toBe(201)
  })

  test('act only for members, even if created from the command line', async () => {
    const operator = createAccessAdmin({
      db: context.stack.database.db,
      secret: context.stack.env.API_KEY_SECRET ?? '',
    })
    const { slug } = context.workspace
    for (const fields of [{ actor: 'user:nobody' }, { owner: 'user:nobody' }])
      await expect(operator.createApiKey(slug, { name: 'x', ...fields })).rejects.toThrow('is not a member')
    const made = await operator.createApiKey(slug, { name: 'x', actor: 'user:bea' })
    expect((await owner.send('GET', `/v1/api-keys/${made.id}`)).body).toMatchObject({ created_by: 'operator' })
  })

  interface KeyFields {
    id: string
    actor: string
    owner: string | null
  }
  const unownedKey = () =>
    createAccessAdmin({ db: context.stack.database.db, secret: context.stack.env.API_KEY_SECRET ?? '' }).createApiKey(
      context.workspace.slug,
      { name: 'nobodys' },
    )
})

describe('members', () => {
  const save = (by: Person, actor: string, fields: object) => by.send('PUT', `/v1/members/${actor}`, fields)

  test('gain and lose only roles whose permissions their manager has', async () => {
    const provision = (permissions: string[]) => owner.send('POST', '/v1/api-keys', { name: 'directory', permissions })
    const narrow = withKey((await provision(['access:manage'])).body.api_key)
    for (const role of ['viewer', 'builder', 'admin'])
      expect([role, (await narrow.call('PUT', '/v1/members/user:new', { role })).status]).toEqual([role, 403])
    expect((await narrow.call('DELETE', '/v1/members/user:bea')).status).toBe(403)
    const wide = withKey((await provision([...ROLES.builder, 'access:manage'])).body.api_key)
    expect((await wide.call('PUT', '/v1/members/user:new', { role: 'builder' })).status).toBe(200)
    expect((await wide.call('PUT', '/v1/members/user:new', { role: 'admin' })).status).toBe(403)
    expect((await wide.call('DELETE', '/v1/members/user:new')).status).toBe(200)
  })

  test('who are owners can only be changed by owners, in role and groups', async () => {
    for (const fields of [{ role: 'viewer' }, { groups: ['group:sales'] }, { groups: [] }])
      expect((await save(admin, 'user:olga', fields)).status).toBe(403)
    expect((await admin.send('DELETE', '/v1/members/user:olga')).status).toBe(403)
  })

  test('can be added to a group by one of its members or an owner, and managers only by someone else', async () => {
    expect((await save(admin, 'user:bea', { groups: ['group:finance'] })).status).toBe(403)
    expect((await save(admin, 'user:bea', { groups: ['group:sales'] })).status).toBe(200)
    expect((await save(owner, 'user:bea', { groups: ['group:finance'] })).status).toBe(200)
    const own = await save(owner, 'user:olga', { groups: ['group:board', 'group:finance'] })
    expect(own).toMatchObject({ status: 403, body: { message: expect.stringContaining('user:adam') } })
    expect((await save(admin, 'user:adam', { groups: ['group:sales', 'group:finance'] })).status).toBe(403)
    expect((await save(owner, 'user:adam', { groups: ['group:sales', 'group:finance'] })).status).toBe(200)
    const workspace = await context.stack.workspace()
    const alone = await join('user:solo', 'owner', [], workspace)
    expect((await save(alone, 'user:solo', { groups: ['group:finance'] })).status).toBe(200)
  })

  test('who leave a group also lose it in their keys', async () => {
    const cleo = await join('user:cleo', 'admin', ['group:a', 'group:b'])
    const { body } = await cleo.send('POST', '/v1/api-keys', { name: 'cleos', groups: ['group:a', 'group:b'] })
    expect((await save(owner, 'user:cleo', { groups: ['group:b'] })).status).toBe(200)
    expect((await owner.send('GET', `/v1/api-keys/${body.id}`)).body).toMatchObject({ groups: ['group:b'] })
  })

  test('who are demoted lose the removed permissions in their service keys', async () => {
    const dora = await join('user:dora', 'admin')
    const key = (await dora.send('POST', '/v1/api-keys', { name: 'doras' })).body.api_key
    const write = () => withKey(key).post('/v1/skills', { title: 'x', instructions: 'x' })
    expect((await write()).status).toBe(201)
    expect((await save(owner, 'user:dora', { role: 'viewer' })).status).toBe(200)
    await waitUntil(async () => (await write()).status === 403)
  })

  test("cannot make themselves someone's substitute", async () => {
    const absence = { actor: 'user:bea', substitute: 'user:adam' }
    expect((await admin.send('PUT', '/v1/absences', absence)).status).toBe(403)
    expect((await admin.send('PUT', '/v1/absences', { ...absence, substitute: 'user:olga' })).status).toBe(200)
  })
})

const askFor = (assignees: string[]) => ({
  schema: 'pathway/1',
  nodes: [
    { id: 'ask', type: 'human', kind: 'approval', title: `Pay, ${assignees.join(' or ')}?`, assignees },
    { id: 'done', type: 'end', output: 1 },
  ],
  edges: [
    { from: 'ask', on: 'approve', to: 'done' },
    { from: 'ask', on: 'reject', to: 'done' },
  ],
})

test('a leaving member loses everything that acts for them, and their open work is listed and reassigned', async () => {
  const { client, slug } = context.workspace
  const leo = await join('user:leo', 'admin')
  const made = {
    personal: await leo.send('POST', '/v1/api-keys', { name: 'leo', actor: 'user:leo' }),
    service: await leo.send('POST', '/v1/api-keys', { name: 'leos-robot' }),
  }
  const neuron = { slug: 'porter', title: 'Porter', model: 'builtin:extractive', instructions: 'Answer.' }
  expect((await leo.send('POST', '/v1/neurons', neuron)).status).toBe(201)
  const target = { type: 'neuron', ref: 'porter' }
  expect((await leo.send('POST', '/v1/receptors', { slug: 'gate', title: 'Gate', target })).status).toBe(201)
  const visitors = { name: 'visitors', target: { type: 'receptor', id: 'gate' } }
  const token = (await leo.send('POST', '/v1/share-tokens', visitors)).body.share_token
  const fields = {
    slug: 'leos',
    title: 'Leos',
    trigger_type: 'webhook',
    webhook: { signature: { scheme: 'none' } },
    target,
  }
  const trigger = await leo.send('POST', '/v1/triggers', { ...fields, input: { message: 'Hello' } })
  expect(trigger.status).toBe(201)
  const hook = (await leo.send('POST', '/v1/triggers/leos/rotate-token', {})).body as unknown as { url: string }
  const ask = async (...assignees: string[]) => {
    const { status, body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway: askFor(assignees) })
    expect(status).toBe(202)
    return waitUntil(async () => {
      const path = `/v1/interventions?job_id=${body.job_id}`
      const { data } = (await client.get<{ data: { interventionId: string }[] }>(path)).body
      return data[0] && { id: data[0].interventionId, job_id: body.job_id }
    })
  }
  const [own, shared] = [await ask('user:leo'), await ask('user:leo', 'user:bea')]
  expect((await leo.send('POST', `/v1/interventions/${shared.id}/claim`)).status).toBe(200)

  const expected = {
    actor: 'user:leo',
    revoked: expect.arrayContaining([
      expect.objectContaining({ kind: 'session' }),
      expect.objectContaining({ kind: 'api_key', name: 'leo' }),
      expect.objectContaining({ kind: 'api_key', name: 'leos-robot' }),
      expect.objectContaining({ kind: 'share_token', name: 'visitors' }),
      expect.objectContaining({ kind: 'hook_token' }),
    ]),
    switched_off: [expect.objectContaining({ slug: 'leos' })],
    open: {
      tasks: [expect.objectContaining({ id: own.id })],
      claims: [expect.objectContaining({ id: shared.id })],
      receptors: [expect.objectContaining({ slug: 'gate' })],
    },
  }
  const dry = await owner.send('DELETE', '/v1/members/user:leo?dry_run=true')
  expect(dry).toMatchObject({ status: 200, body: expected })
  expect((await leo.send('GET', '/v1/session/context')).status).toBe(200)
  const removed = await owner.send('DELETE', '/v1/members/user:leo')
  expect(removed).toMatchObject({ status: 200, body: expected })
  expect(removed.body).toEqual(dry.body)

  await waitUntil(async () => (await leo.send('GET', '/v1/session/context')).status === 401)
  for (const { body } of Object.values(made))
    await waitUntil(async () => (await withKey(body.api_key).get('/v1/jobs')).status === 401)
  const public_ = await fetch(`${context.stack.baseUrl}/v1/public/receptors/${slug}/gate/invoke`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'Hello?' }),
  })
  expect(public_.status).toBe(401)
  expect((await fetch(hook.url, { method: 'POST', body: '{}' })).status).toBe(404)
  const off = await client.get<{ paused: boolean; health_reason: string }>('/v1/triggers/leos')
  expect(off.body).toMatchObject({ paused: true, health_reason: expect.stringContaining('user:leo left') })
  // A claimed task that other people may take over is released.
  const released = (await client.get<object>(`/v1/interventions/${shared.id}`)).body
  expect(released).toMatchObject({ assignees: ['user:bea'] })
  expect(released).not.toHaveProperty('claimed_by')

  const handOver = (by: Person, to: string) => by.send('POST', '/v1/members/user:leo/handover', { to })
  expect((await handOver(owner, 'user:olga')).status).toBe(403)
  expect((await handOver(owner, 'user:nobody')).status).toBe(400)
  await join('user:vic', 'viewer')
  expect((await handOver(owner, 'user:vic')).status).toBe(400)
  const handed = await handOver(owner, 'user:adam')
  expect(handed).toMatchObject({
    status: 200,
    body: {
      tasks: [{ id: own.id, outcome: 'handed_over' }],
      triggers: [{ id: trigger.body.id, outcome: 'handed_over' }],
    },
  })
  expect((await client.get<object>(`/v1/interventions/${own.id}`)).body).toMatchObject({
    assignees: ['user:adam'],
  })
  expect((await client.get<object>('/v1/triggers/leos')).body).toMatchObject({ paused: true })
  for (const { job_id } of [own, shared]) await client.post(`/v1/jobs/${job_id}/cancel`)
})

describe('a purge', () => {
  test("of a thread covers only the caller's own thread and runs, without the permission to control runs", async () => {
    const { client } = context.workspace
    const neuron = { slug: 'keeper', title: 'Keeper', model: 'builtin:extractive', instructions: 'Answer.' }
    await client.post('/v1/neurons', neuron)
    const talk = async (by: TestWorkspace['client'], trace = 'new') => {
      const message = { message: 'The gate opens at nine. When does it open?', neuron: 'keeper' }
      const { body } = await by.post<{ trace_id: string; job_id: string }>(`/v1/chat/${trace}`, message)
      await jobWith(by, body.job_id)
      return body.trace_id
    }
    const rita = createClient(context.stack.baseUrl, await reviewerKey('user:rita'))
    const [own, foreign, shared] = [await talk(rita), await talk(client), await talk(rita)]
    await talk(client, shared)
    for (const trace of [foreign, shared]) expect((await rita.del(`/v1/traces/${trace}`)).status).toBe(403)
    expect((await client.get(`/v1/traces/${shared}`)).status).toBe(200)
    expect((await rita.del(`/v1/traces/${own}`)).status).toBe(202)
    expect((await client.del(`/v1/traces/${foreign}`)).status).toBe(202)
  })

  test('of a resource that ends runs requires the permission to control runs', async () => {
    const writer = await context.workspace.permittedTo('resources:write', 'resources:read')
    const { body } = await writer.post<{ id: string }>('/v1/skills', { title: 'Gone', instructions: 'x' })
    expect((await writer.del(`/v1/resources/skills/${body.id}?purge=true`)).status).toBe(403)
    expect((await writer.del(`/v1/resources/skills/${body.id}`)).status).toBe(204)
  })

  async function reviewerKey(actor: string): Promise<string> {
    await join(actor, 'reviewer')
    return context.workspace.newKey({ actor })
  }
})

describe('a sign-in link', () => {
  test("replaces another person's session only if the browser confirms it", async () => {
    const { stack, workspace } = context
    const sessions = createSessions({ db: stack.database.db, secret: stack.env.API_KEY_SECRET ?? '', hours: 1 })
    const link = async (actor: string) => (await sessions.createLink(operatorOf(workspace), actor)).token
    const browser = createBrowser(stack.baseUrl)
    await browser.openLink(await link('user:olga'))
    const foreign = await link('user:adam')
    const who = async () => (await browser.send('GET', '/v1/session/context')).body
    const refused = await browser.send('POST', '/v1/session/link', { token: foreign })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('user:olga is signed in') } })
    expect(await who()).toMatchObject({ actor: 'user:olga' })
    const former = browser.cookie('ganglion_session')
    expect((await browser.send('POST', '/v1/session/link', { token: foreign, replace: true })).status).toBe(204)
    expect(await who()).toMatchObject({ actor: 'user:adam' })
    const headers = { Cookie: `ganglion_session=${former}` }
    await waitUntil(async () => (await fetch(`${stack.baseUrl}/v1/session/context`, { headers })).status === 401)
    // No confirmation is needed for the same person, or for a browser whose session has ended.
    expect((await browser.openLink(await link('user:adam'))).status).toBe(204)
    await browser.send('DELETE', '/v1/session')
    expect((await browser.openLink(await link('user:olga'))).status).toBe(204)
  })
})
