import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createHash, randomUUID } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { ROLES } from '../../../domain/access/permissions.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions, type SessionsService } from '../../../services/access/credentials/sessions.ts'
import { type Browser, createBrowser } from '../../support/clients/browser.ts'
import { createClient } from '../../support/clients/client.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/access/identity-provider.ts'
import { connectMcp } from '../../support/tools/mcp.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith } from '../../support/runs/runs.ts'
import { readEvents } from '../../support/clients/sse.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { createIssuer, forge, AUDIENCE, ISSUER, type Issuer } from '../../support/access/user-tokens.ts'
import type { Manager } from '../../../services/access/manager.ts'

/** Each kind of credential in the running product, used by its owner and by attackers. */

let issuer: Issuer
let provider: IdentityProvider
let stack: Stack
let workspace: TestWorkspace
let operator: Manager
let members: ReturnType<typeof createMembers>
let sessions: SessionsService
let owner: Browser

beforeAll(async () => {
  ;[issuer, provider] = await Promise.all([createIssuer(), startIdentityProvider()])
  const env = {
    ...issuer.env,
    ...provider.env,
    SAME_USERS: 'OIDC,JWT',
    CORS_ORIGINS: 'https://app.example.com',
    STREAM_PING_SECONDS: '60',
  }
  stack = await startStack({ env })
  provider.register(stack.baseUrl)
  workspace = await stack.workspace({ actor: 'user:ann' })
  operator = { workspace_id: workspace.id, ...OPERATOR }
  members = createMembers({ db: stack.database.db })
  sessions = createSessions({ db: stack.database.db, secret: stack.env.API_KEY_SECRET ?? '', hours: 1 })
  await members.save(operator, { actor: 'user:olga', role: 'owner', groups: ['group:board'] })
  owner = await signIn('user:olga')
  const neuron = { slug: 'keeper', title: 'Keeper', model: 'builtin:extractive', instructions: 'Answer.' }
  await workspace.client.post('/v1/neurons', neuron)
})
afterAll(async () => {
  await Promise.all([stack?.stop(), provider?.close()])
})

async function signIn(actor: string): Promise<Browser> {
  const { token } = await sessions.createLink(operator, actor)
  const browser = createBrowser(stack.baseUrl)
  expect((await browser.openLink(token)).status).toBe(204)
  return browser
}

async function join(actor: string, role: 'admin' | 'builder' | 'reviewer' | 'viewer'): Promise<Browser> {
  await members.save(operator, { actor, role })
  return signIn(actor)
}

const withKey = (key: string) => createClient(stack.baseUrl, key)

/** Opens a stream and returns its end. In these tests, keep-alives are sent a minute apart. */
async function openStream(path: string, headers: Record<string, string> = {}): Promise<{ end: Promise<string> }> {
  const response = await fetch(stack.baseUrl + path, { headers })
  expect(response.status).toBe(200)
  return { end: response.text() }
}

/** Starts a run that is waiting. Returns its id. */
async function startWaiting(): Promise<string> {
  const wait = { schema: 'pathway/1', nodes: [{ id: 'w', type: 'wait', event: 'go', timeout: 'PT1H' }], edges: [] }
  return (await workspace.client.post<{ job_id: string }>('/v1/jobs', { pathway: wait })).body.job_id
}

describe('sessions', () => {
  test('start at the identity provider, with an authorization code and PKCE', async () => {
    await members.save(operator, { actor: 'user:ann', role: 'builder' })
    const browser = createBrowser(stack.baseUrl)
    const begun = await browser.open(`/v1/session/sign-in?workspace=${workspace.slug}&return_to=/v1/docs%23tag`)
    expect(begun.location).toContain('code_challenge_method=S256')
    const callback = await provider.signIn(begun.location ?? '', 'ann')
    const done = await browser.open(callback)
    expect(done).toMatchObject({ status: 302, location: '/v1/docs#tag' })
    const cookie = done.cookies.find(one => one.startsWith('ganglion_session='))
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=lax/i)
    const { body } = await browser.send('GET', '/v1/session/context')
    expect(body).toMatchObject({
      actor: 'user:ann',
      role: 'builder',
      workspace: { slug: workspace.slug },
      default_brain_id: workspace.brain_id,
    })
    const boot = await browser.send('GET', '/v1/session/boot')
    expect(boot.body).toMatchObject({
      session: body,
      settings: { limits: {} },
      events_position: expect.stringMatching(/^\d+-\d+$/),
    })
    // The code and the state are valid for only one sign-in in one browser.
    expect((await createBrowser(stack.baseUrl).open(callback)).status).toBe(401)
    expect((await browser.open(callback)).status).toBe(401)
    const page = await fetch(callback, { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('The sign-in was not started in this browser, or it is too old')
  })

  test('redirect to the console unless they specify a page, and report why the provider refused', async () => {
    const browser = createBrowser(stack.baseUrl)
    const address = `/v1/session/sign-in?workspace=${workspace.slug}`
    const done = await browser.open(await provider.signIn((await browser.open(address)).location ?? '', 'ann'))
    expect(done).toMatchObject({ status: 302, location: '/console/' })
    const begun = new URL((await browser.open(address)).location ?? '')
    const state = begun.searchParams.get('state')
    const refused = await browser.send(
      'GET',
      `/v1/session/callback?state=${state}&iss=${encodeURIComponent(begun.origin)}&error=invalid_scope&error_description=unknown`,
    )
    expect(refused).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('invalid_scope (unknown); check OIDC_SCOPE') },
    })
  })

  test('are only for members, and redirect only to a path of this service', async () => {
    const browser = createBrowser(stack.baseUrl)
    const begun = await browser.open(`/v1/session/sign-in?workspace=${workspace.slug}`)
    const callback = await provider.signIn(begun.location ?? '', 'stranger')
    expect((await browser.open(callback)).status).toBe(403)
    for (const path of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil'])
      expect([
        path,
        (await browser.open(`/v1/session/sign-in?workspace=${workspace.slug}&return_to=${encodeURIComponent(path)}`))
          .status,
      ]).toEqual([path, 400])
    expect((await browser.open('/v1/session/sign-in?workspace=nowhere')).status).toBe(404)
  })

  test('start only once from a link', async () => {
    const { token } = await sessions.createLink(operator, 'user:olga')
    const opened = await Promise.all(Array.from({ length: 5 }, () => createBrowser(stack.baseUrl).openLink(token)))
    expect(opened.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(opened.filter(({ status }) => status === 401)).toHaveLength(4)
  })

  test('require their CSRF token for changes', async () => {
    const browser = await signIn('user:olga')
    const Cookie = `ganglion_session=${browser.cookie('ganglion_session')}`
    const post = (headers: Record<string, string>) =>
      fetch(`${stack.baseUrl}/v1/skills`, {
        method: 'POST',
        headers: { Cookie, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ title: 'Forged', instructions: 'x' }),
      })
    for (const headers of [{}, { 'X-CSRF-Token': 'x' }, { 'X-CSRF-Token': 'x'.repeat(43) }])
      expect((await post(headers as Record<string, string>)).status).toBe(403)
    const made = await browser.send('POST', '/v1/skills', { title: 'Real', instructions: 'x' })
    expect(made.status).toBe(201)
  })

  test('end when the user signs out, in all browsers on request, and when the member is removed', async () => {
    const [one, two, three] = [await join('user:leo', 'viewer'), await signIn('user:leo'), await signIn('user:leo')]
    const status = async (browser: Browser) => (await browser.send('GET', '/v1/session/context')).status
    expect((await one.send('DELETE', '/v1/session')).status).toBe(204)
    expect(one.cookie('ganglion_session')).toBeUndefined()
    expect(await status(two)).toBe(200)
    expect((await two.send('DELETE', '/v1/session?everywhere=true')).status).toBe(204)
    await waitUntil(async () => (await status(three)) === 401)
    const again = await signIn('user:leo')
    expect((await owner.send('DELETE', '/v1/members/user:leo')).status).toBe(200)
    await waitUntil(async () => (await status(again)) === 401)
  })
})

describe('API keys', () => {
  test('are created, read, replaced and revoked by callers who manage access', async () => {
    const fields = { name: 'reports', permissions: ['jobs:read'], groups: ['group:board'] }
    const { status, body: made } = await owner.send('POST', '/v1/api-keys', fields)
    expect({ status, made }).toMatchObject({
      status: 201,
      made: { ...fields, actor: 'key:reports', created_by: 'user:olga' },
    })
    const { api_key, id } = made
    const client = withKey(api_key)
    expect((await client.get('/v1/jobs')).status).toBe(200)
    expect((await client.get('/v1/pathways')).body).toEqual({
      code: 'FORBIDDEN',
      message: 'This route needs the permission "resources:read"',
    })
    const changed = { name: 'readers', permissions: ['jobs:read', 'resources:read'] }
    expect((await owner.send('PUT', `/v1/api-keys/${id}`, changed)).body).toMatchObject({ ...changed, groups: [] })
    await waitUntil(async () => (await client.get('/v1/pathways')).status === 200)
    const listed = await owner.send('GET', '/v1/api-keys?limit=200')
    expect(JSON.stringify(listed.body)).not.toContain(api_key.slice(40))
    expect((await owner.send('GET', `/v1/api-keys/${id}`)).body).toMatchObject({ last_used_at: expect.any(String) })
    expect((await owner.send('DELETE', `/v1/api-keys/${id}`)).status).toBe(204)
    expect((await owner.send('PUT', `/v1/api-keys/${id}`, changed)).status).toBe(409)
    await waitUntil(async () => (await client.get('/v1/jobs')).status === 401)
  })

  test('that are revoked have their open streams closed', async () => {
    const job = await startWaiting()
    const { body: made } = await owner.send('POST', '/v1/api-keys', { name: 'streams' })
    const headers = { Authorization: `Bearer ${made.api_key}` }
    const streams = [
      await openStream(`/v1/jobs/${job}/stream`, headers),
      await openStream('/v1/events/stream', headers),
    ]
    const mcp = await connectMcp({ baseUrl: stack.baseUrl, token: made.api_key ?? '' })
    const { closed } = await mcp.listen({ promptsListChanged: true })
    expect((await owner.send('DELETE', `/v1/api-keys/${made.id}`)).status).toBe(204)
    for (const { end } of streams) expect(await end).toMatch(/^: open/)
    expect(['remote', 'graceful']).toContain(await closed)
    await waitUntil(async () => (await withKey(made.api_key).get('/v1/jobs')).status === 401)
    await workspace.client.post(`/v1/jobs/${job}/cancel`)
  })

  test('that lose permissions have their open streams closed', async () => {
    const { body: made } = await owner.send('POST', '/v1/api-keys', { name: 'narrowed' })
    const { end } = await openStream('/v1/events/stream', { Authorization: `Bearer ${made.api_key}` })
    const narrowed = { name: 'narrowed', permissions: ['resources:read'] }
    expect((await owner.send('PUT', `/v1/api-keys/${made.id}`, narrowed)).status).toBe(200)
    expect(await end).toMatch(/^: open/)
  })

  test('are rotated, with two valid keys during the overlap', async () => {
    const { body: old } = await owner.send('POST', '/v1/api-keys', { name: 'rotated', permissions: ['jobs:read'] })
    const { status, body: next } = await owner.send('POST', `/v1/api-keys/${old.id}/rotate`, { overlap_seconds: 8 })
    expect({ status, next }).toMatchObject({
      status: 201,
      next: { name: 'rotated', permissions: ['jobs:read'], expires_at: null },
    })
    for (const key of [old.api_key, next.api_key]) expect((await withKey(key).get('/v1/jobs')).status).toBe(200)
    await waitUntil(async () => (await withKey(old.api_key).get('/v1/jobs')).status === 401)
    expect((await withKey(next.api_key).get('/v1/jobs')).status).toBe(200)
  })

  test('have at most the permissions that both their person and their creator have', async () => {
    await members.save(operator, { actor: 'user:vic', role: 'viewer' })
    const client = withKey(await workspace.newKey({ actor: 'user:vic' }))
    expect((await client.get('/v1/pathways')).status).toBe(200)
    expect((await client.post('/v1/skills', { title: 'x', instructions: 'x' })).status).toBe(403)
    const admin = await join('user:adam', 'admin')
    const given = await admin.send('POST', '/v1/api-keys', { name: 'x', permissions: ['owners:manage'] })
    expect(given).toMatchObject({ status: 403, body: { message: expect.stringContaining('owners:manage') } })
    const bound = { name: 'x', permissions: ['access:manage'], brain_ids: [workspace.brain_id] }
    expect((await owner.send('POST', '/v1/api-keys', bound)).status).toBe(400)
  })

  test('ignore fields that a caller may not set', async () => {
    for (const field of ['id', 'hmac', 'prefix', 'workspace_id', 'created_by', 'kind', 'uses', 'revoked_at'])
      expect([field, (await owner.send('POST', '/v1/api-keys', { name: 'x', [field]: 'x' })).status]).toEqual([
        field,
        400,
      ])
  })
})

describe('members', () => {
  test('are managed by callers with the permission, but only an owner can change owners', async () => {
    const admin = await join('user:amy', 'admin')
    const set = (browser: Browser, actor: string, role: string) => browser.send('PUT', `/v1/members/${actor}`, { role })
    expect(await set(admin, 'user:new', 'reviewer')).toMatchObject({ status: 200, body: { role: 'reviewer' } })
    expect((await set(admin, 'user:new', 'owner')).status).toBe(403)
    expect((await set(admin, 'user:olga', 'viewer')).status).toBe(403)
    expect((await set(owner, 'user:olga', 'viewer')).status).toBe(409)
    expect((await owner.send('DELETE', '/v1/members/user:olga')).status).toBe(409)
    expect((await set(await join('user:bea', 'builder'), 'user:new', 'viewer')).status).toBe(403)
    const { body } = await owner.send('GET', '/v1/members?limit=200')
    expect(body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ actor: 'user:new', role: 'reviewer', groups: [] })]),
    })
  })

  test('are provisioned with an API key that may manage access', async () => {
    const permissions = [...ROLES.owner]
    const { body } = await owner.send('POST', '/v1/api-keys', { name: 'directory', permissions })
    const { status } = await withKey(body.api_key).call('PUT', '/v1/members/user:pia', { groups: ['group:sales'] })
    expect(status).toBe(200)
    expect((await workspace.client.call('PUT', '/v1/members/user:pia', {})).status).toBe(403)
  })
})

describe('a publishable key with a user token', () => {
  let publishable: string
  const use = async (token: string, path = '/v1/pathways', body?: object) => {
    const response = await fetch(stack.baseUrl + path, {
      method: body ? 'POST' : 'GET',
      body: body && JSON.stringify(body),
      headers: {
        'X-Publishable-Key': publishable,
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  beforeAll(async () => {
    await members.save(operator, { actor: 'user:rita', role: 'reviewer' })
    publishable = (await owner.send('POST', '/v1/publishable-keys', { name: 'web' })).body.publishable_key
  })

  test('can read and chat as the member named in the token, and change nothing else', async () => {
    const token = await issuer.sign('rita')
    expect((await use(token)).status).toBe(200)
    expect((await use(token, '/v1/chat/new', { message: 'Hello?', neuron: 'keeper' })).status).toBe(202)
    expect(await use(token, '/v1/skills', { title: 'x', instructions: 'x' })).toMatchObject({
      status: 403,
      body: { message: 'This route accepts an API key or a session, not a publishable key' },
    })
    expect((await use(await issuer.sign('viewer-of-nothing'))).status).toBe(403)
  })

  test('rejects forged, foreign and expired tokens', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { sub: 'rita', iss: ISSUER, aud: AUDIENCE, exp: now + 300 }
    const other = await generateKeyPair('RS256')
    const pem = JSON.stringify(issuer.jwks.keys[0])
    const tokens: Record<string, string> = {
      'no algorithm': forge({ alg: 'none' }, claims),
      'no algorithm, in capitals': forge({ alg: 'NONE' }, claims),
      'the public key as a shared secret': forge({ alg: 'HS256', kid: 'one' }, claims, pem),
      'another key': await issuer.sign('rita', { key: other.privateKey }),
      'an unknown key id': await issuer.sign('rita', { kid: 'two' }),
      'another audience': await issuer.sign('rita', { claims: { aud: 'other' } }),
      'another issuer': await issuer.sign('rita', { claims: { iss: 'https://evil.example/' } }),
      expired: await issuer.sign('rita', { expiresIn: -60 }),
      'not yet valid': await issuer.sign('rita', { claims: { nbf: now + 600 } }),
      'an expiry that is no date': await issuer.sign('rita', { claims: { exp: 1e308 } }),
      'no expiry': await issuer.sign('rita', { expiresIn: null }),
      'a name that is no text': await issuer.sign('rita', { claims: { sub: 7 as never } }),
      'a name with a line break': await issuer.sign('rita\nadmin'),
      'a key in the header': forge({ alg: 'RS256', jwk: issuer.jwks.keys[0] }, claims, 'x'),
      'a URL of keys in the header': forge({ alg: 'RS256', jku: 'http://127.0.0.1:1/keys', kid: 'x' }, claims, 'x'),
      nonsense: 'nonsense',
      'too long': 'x'.repeat(10_000),
    }
    const valid = await issuer.sign('rita')
    tokens['a changed claim'] = [
      valid.split('.')[0],
      Buffer.from(JSON.stringify({ ...claims, sub: 'olga' })).toString('base64url'),
      valid.split('.')[2],
    ].join('.')
    for (const [attack, token] of Object.entries(tokens))
      expect([attack, (await use(token)).status]).toEqual([attack, 401])
    expect(
      (await fetch(`${stack.baseUrl}/v1/pathways`, { headers: { 'X-Publishable-Key': publishable } })).status,
    ).toBe(401)
    expect(
      (await fetch(`${stack.baseUrl}/v1/pathways`, { headers: { Authorization: `Bearer ${valid}` } })).status,
    ).toBe(401)
  })

  test('ends a stream when the token expires, and when the member is removed', async () => {
    const job = await startWaiting()
    await members.save(operator, { actor: 'user:una', role: 'viewer' })
    const open = async (token: string) =>
      openStream(`/v1/jobs/${job}/stream`, { 'X-Publishable-Key': publishable, Authorization: `Bearer ${token}` })
    const streams = [await open(await issuer.sign('rita', { expiresIn: 4 })), await open(await issuer.sign('una'))]
    await members.remove(operator, 'user:una')
    for (const { end } of streams) expect(await end).toMatch(/^: open/)
    await workspace.client.post(`/v1/jobs/${job}/cancel`)
  })
})

describe('share tokens', () => {
  const share = async (fields: object) =>
    (await owner.send('POST', '/v1/share-tokens', { name: 'door', ...fields })).body
  const send = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(stack.baseUrl + path, {
      method: body ? 'POST' : 'GET',
      body: body && JSON.stringify(body),
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    })
    return { status: response.status, body: (await response.json()) as { job_id: string; trace_id: string } }
  }
  let receptor: string
  let door: string
  beforeAll(async () => {
    const target = { type: 'neuron', ref: 'keeper' }
    const { body } = await workspace.client.post<{ id: string }>('/v1/receptors', {
      slug: 'door',
      title: 'Door',
      target,
    })
    receptor = body.id
    door = `/v1/public/receptors/${workspace.slug}/door/invoke`
  })

  test('open a receptor for a visitor, who can follow and continue the thread', async () => {
    const { share_token: t } = await share({ target: { type: 'receptor', id: 'door' } })
    const { status, body } = await send(door, { t, message: 'The gate opens at nine. When does it open?' })
    expect(status).toBe(202)
    const stream = await fetch(
      `${stack.baseUrl}/v1/public/jobs/${body.job_id}/stream?share=${t}&trace=${body.trace_id}`,
    )
    const types = new Set<string>()
    for await (const { data } of readEvents<{ type: string }>(
      stream.body as ReadableStream<Uint8Array>,
      () => undefined,
    ))
      if (data) types.add(data.type)
    expect(types).toContain('complete')
    expect([...types].filter(type => !['token', 'attempt_reset', 'status', 'gap', 'complete'].includes(type))).toEqual(
      [],
    )
    const again = await send(`/v1/public/traces/${body.trace_id}?t=${t}`, { message: 'And when does it close?' })
    expect(again.status).toBe(202)
    await jobWith(workspace.client, again.body.job_id)
    const read = await send(`/v1/public/traces/${body.trace_id}?t=${t}`)
    expect(read.body).toMatchObject({ trace: { turns: 2 }, messages: expect.arrayContaining([]) })
    const other = await share({ target: { type: 'receptor', id: receptor } })
    expect((await send(`/v1/public/traces/${body.trace_id}?t=${other.share_token}`)).status).toBe(404)
    expect(
      (await send(`/v1/public/jobs/${body.job_id}/stream?share=${other.share_token}&trace=${body.trace_id}`)).status,
    ).toBe(404)
  })

  test("open one thread, with the token's rights", async () => {
    const { body: said } = await workspace.client.post<{ job_id: string; trace_id: string }>('/v1/chat/new', {
      message: 'The sky is blue. Which color has the sky?',
      neuron: 'keeper',
    })
    await jobWith(workspace.client, said.job_id)
    const target = { type: 'trace', id: said.trace_id }
    const reader = (await share({ target, rights: ['read'] })).share_token
    const thread = `/v1/public/traces/${said.trace_id}`
    const { body } = await send(`${thread}?t=${reader}`)
    expect(JSON.stringify(body)).toContain('The sky is blue')
    expect((await send(thread, { t: reader, message: 'More?' })).status).toBe(403)
    expect((await send(door, { t: reader, message: 'Hello?' })).status).toBe(403)
    const writer = (await share({ target, rights: ['write'] })).share_token
    expect((await send(`${thread}?t=${writer}`)).status).toBe(403)
    expect((await send(thread, { t: writer, message: 'And at night?' })).status).toBe(202)
    expect((await send(`/v1/public/traces/${randomUUID()}?t=${reader}`)).status).toBe(404)
  })

  test('are limited to their number of uses, even if they are used concurrently', async () => {
    const { share_token: t } = await share({ target: { type: 'receptor', id: 'door' }, max_uses: 3 })
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(door, { t, message: 'Hello?' })))
    expect(sent.filter(({ status }) => status === 202)).toHaveLength(3)
    expect(sent.filter(({ status }) => status === 403)).toHaveLength(5)
  })

  test('lose no use for a message that is refused or repeated', async () => {
    const { share_token: t } = await share({ target: { type: 'receptor', id: 'door' }, max_uses: 2 })
    const refused = { t, message: 'Hello?', files: [randomUUID()] }
    for (const _ of [1, 2, 3]) expect((await send(door, refused)).status).toBe(400)
    const key = { 'Idempotency-Key': randomUUID() }
    for (const _ of [1, 2, 3]) expect((await send(door, { t, message: 'Hello?' }, key)).status).toBe(202)
    expect((await send(door, { t, message: 'Changed?' }, key)).status).toBe(409)
    expect((await send(door, { t, message: 'Hello?' })).status).toBe(202)
    const last = await send(door, { t, message: 'Hello?' })
    expect(last).toMatchObject({ status: 403, body: { message: 'The share token has no uses left' } })
  })

  test('stop working when they expire or are revoked', async () => {
    const soon = new Date(Date.now() + 3_000).toISOString()
    const target = { type: 'receptor', id: 'door' }
    const [short, revoked] = [await share({ target, expires_at: soon }), await share({ target })]
    expect((await owner.send('DELETE', `/v1/share-tokens/${revoked.id}`)).status).toBe(204)
    for (const { share_token } of [short, revoked])
      await waitUntil(async () => (await send(door, { t: share_token, message: 'x' })).status === 401)
    expect((await send(door, { message: 'x' })).status).toBe(401)
    expect((await send(door, { t: workspace.api_key, message: 'x' })).status).toBe(401)
  })

  test('are not logged', async () => {
    const { share_token: t } = await share({ target: { type: 'receptor', id: 'door' } })
    await send(`/v1/public/traces/${randomUUID()}?t=${t}`)
    await send(door, { t, message: 'Hello?' })
    expect(stack.api.output()).not.toContain(t.slice(40))
    expect(stack.worker.output()).not.toContain(t.slice(40))
  })
})

describe('pages from other origins', () => {
  const preflight = (Origin: string) =>
    fetch(`${stack.baseUrl}/v1/jobs`, {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    })

  test('may call the API if they are on the list of allowed origins', async () => {
    const allowed = await preflight('https://app.example.com')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-Publishable-Key')
    const read = await fetch(`${stack.baseUrl}/v1/health/live`, { headers: { Origin: 'https://app.example.com' } })
    const exposed = read.headers.get('access-control-expose-headers')?.split(',') ?? []
    for (const name of ['X-Request-Id', 'X-RateLimit-Remaining', 'Retry-After', 'Location', 'ETag', 'Content-Range'])
      expect(exposed).toContain(name)
    expect(read.headers.get('vary')).toContain('Origin')
    const refused = await fetch(`${stack.baseUrl}/v1/jobs`, { headers: { Origin: 'https://app.example.com' } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://app.example.com',
    ])
  })

  test('may not call the API otherwise', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://app.example.com.evil.example',
      'http://app.example.com',
    ]) {
      const { headers } = await preflight(origin)
      expect([origin, headers.get('access-control-allow-origin')]).toEqual([origin, null])
    }
  })
})

test('guessed credentials of every kind are rejected without a lookup in other workspaces', async () => {
  const digest = createHash('sha256').update('x').digest('hex')
  const guesses = [
    'gng_',
    `gng_${digest}`,
    `gns_${digest}`,
    workspace.api_key.slice(0, -1),
    `${workspace.api_key}x`,
    "' or 1=1--",
  ]
  for (const guess of guesses) {
    const answers = await Promise.all([
      fetch(`${stack.baseUrl}/v1/jobs`, { headers: { Authorization: `Bearer ${encodeURIComponent(guess)}` } }),
      fetch(`${stack.baseUrl}/v1/jobs`, { headers: { Cookie: `ganglion_session=${encodeURIComponent(guess)}` } }),
      fetch(`${stack.baseUrl}/v1/public/traces/${randomUUID()}?t=${encodeURIComponent(guess)}`),
    ])
    expect([guess, ...answers.map(({ status }) => status)]).toEqual([guess, 401, 401, 401])
  }
})
