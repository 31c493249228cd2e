import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { randomUUID } from 'node:crypto'
import { CREDENTIAL_NAMES } from '../../../dev/reference/permissions.ts'
import {
  type CredentialKind,
  KEY_PERMISSIONS,
  type Permission,
  type Role,
  ROLE_NAMES,
} from '../../../domain/access/permissions.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { readPermissionTable, readRouteTable, type TableRoute } from '../../support/access/access-table.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { createIssuer, type Issuer } from '../../support/access/user-tokens.ts'

/**
 * Calls every route with every credential and role, and checks the outcomes against the tables in
 * docs/reference/permissions.md.
 */

interface Visitor {
  kind: CredentialKind
  role?: Role
  headers: Record<string, string>
  query?: string
}

let stack: Stack
let issuer: Issuer
let workspace: TestWorkspace
const visitors: Visitor[] = []

beforeAll(async () => {
  issuer = await createIssuer()
  stack = await startStack({ env: issuer.env })
  workspace = await stack.workspace()
  const { db } = stack.database
  const secret = stack.env.API_KEY_SECRET ?? ''
  const members = createMembers({ db })
  const sessions = createSessions({ db, secret, hours: 1 })
  const operator = { workspace_id: workspace.id, ...OPERATOR }
  for (const role of ROLE_NAMES) await members.save(operator, { actor: `user:${role}`, role })
  const owner = await signIn(sessions, 'owner')
  const publishable = await create<{ publishable_key: string }>(owner, '/v1/publishable-keys', { name: 'app' })
  const neuron = { slug: 'door-keeper', title: 'Door keeper', model: 'builtin:extractive', instructions: 'Answer.' }
  await workspace.client.post('/v1/neurons', neuron)
  const answers = { type: 'neuron', ref: 'door-keeper' }
  const { body: receptor } = await workspace.client.post<{ id: string }>('/v1/receptors', {
    title: 'Door',
    target: answers,
  })
  const share = await create<{ share_token: string }>(owner, '/v1/share-tokens', {
    name: 'door',
    target: { type: 'receptor', id: receptor.id },
  })

  visitors.push({ kind: 'api_key', headers: { Authorization: `Bearer ${workspace.api_key}` } })
  visitors.push({ kind: 'share_token', headers: {}, query: share.share_token })
  for (const role of ROLE_NAMES) {
    visitors.push({ kind: 'session', role, headers: await signIn(sessions, role) })
    const token = await issuer.sign(role, { expiresIn: 3_600 })
    const headers = { Authorization: `Bearer ${token}`, 'X-Publishable-Key': publishable.publishable_key }
    visitors.push({ kind: 'publishable_key', role, headers })
  }
})
afterAll(() => stack?.stop())

async function signIn(sessions: ReturnType<typeof createSessions>, role: Role): Promise<Record<string, string>> {
  const { token } = await sessions.open(workspace.id, `user:${role}`)
  const Cookie = `ganglion_session=${token}`
  const response = await fetch(`${stack.baseUrl}/v1/session/context`, { headers: { Cookie } })
  const { csrf_token } = (await response.json()) as { csrf_token: string }
  return { Cookie, 'X-CSRF-Token': csrf_token }
}

async function create<T>(headers: Record<string, string>, path: string, body: object): Promise<T> {
  const response = await fetch(stack.baseUrl + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as T
}

/** Sends a request without a body for an unknown id, so it changes nothing with any credential. */
async function send({ method, path }: TableRoute, headers: Record<string, string>, token?: string): Promise<string> {
  const named = path.replace('/:traceId', '/new').replace(':actor', 'user:nobody').replaceAll(/:\w+/g, randomUUID())
  const query =
    token === undefined ? '' : `?${path.endsWith('/stream') ? `share=${token}&trace=${randomUUID()}` : `t=${token}`}`
  const response = await fetch(stack.baseUrl + named + query, { method, headers, redirect: 'manual' })
  const text = response.status === 401 || response.status === 403 ? await response.text() : ''
  await response.body?.cancel().catch(() => undefined)
  if (response.status === 403 && /This route (?:accepts|needs)/.test(text)) return 'refused'
  return response.status === 401 ? 'unknown' : 'admitted'
}

/**
 * Returns the outcome expected from the tables. Share token routes read no other credential, and other routes read no
 * share token.
 */
function expected(route: TableRoute, visitor: Visitor, roles: Map<Permission, Set<Role>>): string {
  const isPublic = route.credentials.includes('share_token')
  if (isPublic !== (visitor.kind === 'share_token')) return 'unknown'
  if (!route.credentials.includes(visitor.kind)) return 'refused'
  if (route.permission === undefined) return 'admitted'
  const permission = route.permission as Permission
  if (visitor.role) return roles.get(permission)?.has(visitor.role) ? 'admitted' : 'refused'
  return KEY_PERMISSIONS.includes(permission) ? 'admitted' : 'refused'
}

/** Signing out ends the session of its caller, so it is called last. */
const isSignOut = ({ method, path }: TableRoute) => method === 'DELETE' && path === '/v1/session'

test('every route admits exactly the credentials and roles listed in the tables', async () => {
  const routes = readRouteTable()
    .filter(({ credentials }) => credentials.length > 0)
    .toSorted((one, other) => Number(isSignOut(one)) - Number(isSignOut(other)))
  const roles = readPermissionTable()
  const problems: string[] = []
  for (const route of routes) {
    if (route.path === '/v1/health') continue
    const outcomes = await Promise.all(visitors.map(visitor => send(route, visitor.headers, visitor.query)))
    for (const [i, visitor] of visitors.entries()) {
      const should = expected(route, visitor, roles)
      if (outcomes[i] !== should)
        problems.push(
          `${route.method} ${route.path} with ${CREDENTIAL_NAMES[visitor.kind]} ${visitor.role ?? ''}: ${outcomes[i]}, not ${should}`,
        )
    }
    if ((await send(route, {})) !== 'unknown') problems.push(`${route.method} ${route.path} without a credential`)
  }
  expect(problems).toEqual([])
})

test('routes without a credential are open to everyone', async () => {
  const open = readRouteTable().filter(({ credentials }) => credentials.length === 0)
  expect(open.length).toBeGreaterThan(3)
  for (const route of open.filter(({ path }) => !path.startsWith('/v1/session')))
    expect([route.path, await send(route, {})]).toEqual([route.path, 'admitted'])
})
