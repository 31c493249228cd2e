import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SignJWT } from 'jose'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createMembers } from '../../../services/access/members.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/access/identity-provider.ts'
import { callTool, post, refusedTool } from '../../support/tools/mcp.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'

/** MCP clients that use access tokens from a real authorization server, from the first 401 to a tool call. */

const REDIRECT = 'http://127.0.0.1:1/callback'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

let provider: IdentityProvider
let stack: Stack
let workspace: TestWorkspace
let url: string
beforeAll(async () => {
  provider = await startIdentityProvider()
  stack = await startStack({ env: { OAUTH_ISSUER: provider.env.OIDC_ISSUER ?? '' } })
  workspace = await stack.workspace()
  url = `${stack.baseUrl}/v1/mcp`
  const operator = { workspace_id: workspace.id, ...OPERATOR }
  const members = createMembers({ db: stack.database.db })
  await members.save(operator, { actor: 'user:bea', role: 'builder' })
  await members.save(operator, { actor: 'user:vic', role: 'viewer' })
  provider.register(stack.baseUrl, {
    clients: [
      {
        client_id: 'assistant',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [REDIRECT],
      },
    ],
    features: {
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'mcp:read mcp:write',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: () => ({ workspace: workspace.slug }),
  })
})
afterAll(async () => {
  await stack?.stop()
  await provider?.close()
})

interface SignedIn extends OAuthClientProvider {
  /** The URL to which the client sent its user. */
  sentTo?: URL
  token(): string
}

function createUser(): SignedIn {
  let tokens: { access_token: string; token_type: string } | undefined
  let verifier = ''
  const user: SignedIn = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT] },
    clientInformation: () => ({ client_id: 'assistant' }),
    tokens: () => tokens,
    saveTokens: given => void (tokens = given),
    saveCodeVerifier: given => void (verifier = given),
    codeVerifier: () => verifier,
    redirectToAuthorization: to => void (user.sentTo = to),
    token: () => tokens?.access_token ?? '',
  }
  return user
}

/** Signs a person in at the authorization server, as the host of an MCP client does. */
async function signIn(login: string, address = url): Promise<SignedIn> {
  const user = createUser()
  const connect = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: user })
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
  await expect(new Client({ name: 'test', version: '1' }, options).connect(connect())).rejects.toThrow()
  await agree(user, login, address)
  return user
}

/** Grants the client's request as the user. */
async function agree(user: SignedIn, login: string, address = url): Promise<void> {
  const callback = await provider.signIn(user.sentTo?.href ?? '', login)
  const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider: user })
  await transport.finishAuth(new URL(callback).searchParams)
}

const withToken = async (user: SignedIn, address = url) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { authProvider: user }))
  return client
}

const send = (token: string, message: object = LIST, address = url) =>
  post(address, message, { Authorization: `Bearer ${token}` })

test('a 401 leads to the resource metadata, at the server and at each toolkit', async () => {
  for (const path of ['', '/search']) {
    const refused = await post(url + path, LIST)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    expect([refused.status, challenge]).toEqual([401, expect.stringContaining('scope="mcp:read"')])
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const response = await fetch(metadata)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      resource: url + path,
      authorization_servers: [provider.env.OIDC_ISSUER],
      scopes_supported: ['mcp:read', 'mcp:write'],
    })
  }
  expect((await fetch(`${stack.baseUrl}/.well-known/oauth-protected-resource`)).status).toBe(200)
})

test('starting from a 401, a client can read, and then make a change, on behalf of its user', async () => {
  const user = await signIn('bea')
  const reader = await withToken(user)
  expect(await callTool(reader, 'list_pathways')).toMatchObject({ total: 0 })
  await expect(callTool(reader, 'create_document', { title: 'No', content: 'x' })).rejects.toThrow()
  expect(user.sentTo?.searchParams.get('scope')).toContain('mcp:write')
  await reader.close()
  await agree(user, 'bea')
  const client = await withToken(user)
  const made = await callTool(client, 'create_document', { title: 'By OAuth', content: 'x' })
  expect(made).toMatchObject({ title: 'By OAuth' })
  const { body } = await workspace.client.get<{ data: object[] }>('/v1/activity?limit=5')
  expect(body.data).toContainEqual(
    expect.objectContaining({ actor: 'user:bea', credential_id: 'oauth:assistant', action: 'artifact.create' }),
  )
  await client.close()
})

test('scopes limit the role: a call beyond them returns 403 with the scopes to request', async () => {
  const user = await signIn('bea')
  const client = await withToken(user)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('search')
  expect(names).not.toContain('create_document')
  await client.close()
  const call = { ...LIST, method: 'tools/call', params: { name: 'create_document', arguments: {} } }
  const refused = await send(user.token(), call)
  const challenge = refused.headers.get('www-authenticate')
  expect([refused.status, challenge]).toEqual([403, expect.stringContaining('error="insufficient_scope"')])
  expect(challenge).toContain('scope="mcp:read mcp:write"')
})

test('a role limits the scopes, and people who are not members get no access', async () => {
  const viewer = await signIn('vic')
  const client = await withToken(viewer)
  expect(await refusedTool(client, 'create_document', { title: 'No', content: 'x' })).toMatchObject({
    code: 'FORBIDDEN',
  })
  await client.close()
  const stranger = await signIn('eve')
  expect((await send(stranger.token())).status).toBe(403)
})

test('a token for another resource or from another issuer, and an access token for the REST API, return 401', async () => {
  const user = await signIn('bea', `${url}/search`)
  expect((await send(user.token(), LIST, `${url}/search`)).status).toBe(200)
  expect((await send(user.token())).status).toBe(401)
  const key = new TextEncoder().encode('a key of another issuer, thirty-two characters and more')
  const forged = await new SignJWT({ sub: 'bea', aud: url, workspace: workspace.slug, scope: 'mcp:write' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(provider.env.OIDC_ISSUER ?? '')
    .setExpirationTime('5m')
    .sign(key)
  expect((await send(forged)).status).toBe(401)
  const rest = await fetch(`${stack.baseUrl}/v1/jobs`, { headers: { Authorization: `Bearer ${user.token()}` } })
  expect(rest.status).toBe(401)
})
