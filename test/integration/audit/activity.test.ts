import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { select } from '../../../data/shared/statements.ts'
import { type Columns, list as listColumns, pick } from '../../../data/shared/table.ts'
import { credentialsTable } from '../../../data/access/tables.ts'
import { resourcesTable } from '../../../data/resources/tables.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { readRouteTable } from '../../support/access/access-table.ts'
import { withHeaders } from '../../support/clients/client.ts'
import type { SlackServer } from '../../support/channels/slack-server.ts'
import { startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { pathway } from '../../support/runs/runs.ts'
import { connectScriptedStack } from '../../support/agents/scripted-providers.ts'
import type { ConnectedStack, TestWorkspace } from '../../support/stack/stack.ts'
import { type ApiServer, startApiServer } from '../../support/tools/tool-servers.ts'
import { type Change, type Made, makeEveryChange, READS, type Visitor } from './activity.walk.ts'
import type { ActivityEntry } from '../../../contract/audit/activity.ts'

/** The audit log, to which every changing route writes and which `GET /v1/activity` reads. */

const SECRET = 'nimbus4417'

let stack: ConnectedStack
let api: ApiServer
let hooks: TestServer
let slack: SlackServer
let workspace: TestWorkspace
let keyId: string

beforeAll(async () => {
  const accept: RequestListener = (_request, response) => void response.writeHead(204).end()
  const servers = Promise.all([startApiServer(), startHttpServer(accept)])
  ;[{ stack, slack }, [api, hooks]] = await Promise.all([connectScriptedStack(), servers])
  workspace = await stack.workspace({ actor: 'user:ann' })
  const [key] = await read(pick(credentialsTable, 'id'), 'select id from credentials')
  keyId = key?.id ?? ''
})
afterAll(async () => {
  await Promise.all([stack?.stop(), api?.close(), hooks?.close()])
})

const read = <C extends Columns>(columns: C, statement: string, parameters: unknown[] = []) =>
  stack.database.db.inWorkspace(workspace.id, tx => select(tx, columns, statement, parameters))

const list = async (query: string, client = workspace.client): Promise<ActivityEntry[]> =>
  (await client.get<{ data: ActivityEntry[] }>(`/v1/activity?limit=200&${query}`)).body.data

/** Returns the audit entries for a request. */
const entriesOf = async (requestId: string): Promise<ActivityEntry[]> =>
  (await list('')).filter(({ request_id }) => request_id === requestId)

/** Used for the routes for signed-in people, which are not in the OpenAPI document. */
async function sendAs(by: Visitor, method: string, path: string, body: object | undefined, headers: object) {
  const response = await fetch(stack.baseUrl + path, {
    method,
    body: body && JSON.stringify(body),
    headers: { ...by.headers, ...headers, ...(body && { 'Content-Type': 'application/json' }) },
  })
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') as Made }
}

async function send({ operation, path, body, by }: Change, headers: Record<string, string>) {
  const [method = ''] = operation.split(' ')
  const requestId = randomUUID()
  const sent = { ...headers, 'X-Request-Id': requestId }
  if (by) return { ...(await sendAs(by, method, path, body, sent)), requestId }
  const answer = await workspace.client.call<Made>(method, path, body, { headers: sent })
  return { ...answer, requestId }
}

/** Lists the hashes in an entry. Entries for commands to a run have none, because the run executes them. */
function listHashes({ before_hash, after_hash }: ActivityEntry): string[] {
  return [...(before_hash === null ? [] : ['before']), ...(after_hash === null ? [] : ['after'])]
}

const HASHES: Record<string, string[]> = {
  create: ['after'],
  update: ['before', 'after'],
  delete: ['before'],
  restore: ['after'],
  start: ['after'],
  answer: ['before'],
  claim: ['before'],
  release: ['before'],
  delegate: ['before'],
  reassign: ['before'],
  rotate: ['before', 'after'],
  revoke: ['before'],
  remove: ['before'],
  deactivate: ['before'],
  reactivate: ['after'],
  set: ['after'],
  'session.revoke': [],
  rotate_secret: ['before', 'after'],
  test: ['before', 'after'],
  replay: ['before', 'after'],
}

/** Makes Ann an owner with a separate session. */
async function signIn(): Promise<Visitor> {
  const { db } = stack.database
  const secret = stack.env['API_KEY_SECRET'] ?? ''
  await createMembers({ db }).save({ ...OPERATOR, workspace_id: workspace.id }, { actor: 'user:ann', role: 'owner' })
  await createMembers({ db }).save({ ...OPERATOR, workspace_id: workspace.id }, { actor: 'user:zoe', role: 'reviewer' })
  const { token } = await createSessions({ db, secret, hours: 1 }).open(workspace.id, 'user:ann')
  const Cookie = `ganglion_session=${token}`
  const response = await fetch(`${stack.baseUrl}/v1/session/context`, { headers: { Cookie } })
  const { csrf_token } = (await response.json()) as { csrf_token: string }
  const [session] = await read(pick(credentialsTable, 'id'), `select id from credentials where kind = 'session'`)
  const headers = { Cookie, 'X-CSRF-Token': csrf_token }
  return { credential_id: session?.id ?? '', actor: 'user:ann', headers }
}

/** Creates a one-time sign-in link for Ann. Returns its token. */
async function createLink(): Promise<string> {
  const sessions = createSessions({ db: stack.database.db, secret: stack.env['API_KEY_SECRET'] ?? '', hours: 1 })
  const { token } = await sessions.createLink({ ...OPERATOR, workspace_id: workspace.id }, 'user:ann')
  return token
}

/** Makes a change, and checks that it is logged exactly once and that repeating it logs nothing. */
async function makeRecorded(change: Change): Promise<Made> {
  const headers: Record<string, string> = change.isIdempotent ? { 'Idempotency-Key': randomUUID() } : {}
  const { status, body, requestId } = await send(change, headers)
  const description = `${change.operation} ${status} ${JSON.stringify(body)}`
  expect([description, status < 300]).toEqual([description, true])
  // Entries for people's actions on an intervention are written by the run.
  if (change.actions.some(action => action.startsWith('intervention.')))
    await waitUntil(async () => (await entriesOf(requestId)).length > 0)
  const entries = await entriesOf(requestId)
  expect([description, entries.map(({ action }) => action).sort()]).toEqual([description, change.actions])
  for (const entry of entries) {
    const { actor, person, credential_id, brain_id, action, target } = entry
    const who: Omit<Visitor, 'headers'> = change.by ?? { actor: 'user:ann', credential_id: keyId }
    const place = findPlace(action, target.id)
    const author = {
      actor: who.actor,
      person: who.person ?? who.actor,
      credential_id: who.credential_id,
      brain_id: place,
    }
    expect({ action, actor, person, credential_id, brain_id }).toEqual({ action, ...author })
    const [type = '', verb = ''] = action.split('.')
    expect(target.type).toBe(type)
    // A purge deletes its targets after the entry, so the entry names the row instead of the head.
    if (!change.path.includes('purge') && type !== 'trace')
      expect([action, listHashes(entry)]).toEqual([action, HASHES[action] ?? HASHES[verb] ?? []])
    expect(JSON.stringify(entry)).not.toContain(SECRET)
  }
  if (change.isIdempotent) {
    const repeated = await send(change, headers)
    expect([description, await entriesOf(repeated.requestId)]).toEqual([description, []])
  }
  return body
}

/**
 * Returns the brain of an entry: the target if it is a brain, the target's brain, or null for workspace-level
 * objects.
 */
function findPlace(action: string, targetId: string): string | null {
  if (action.startsWith('brain.')) return targetId
  return /^(?:calendar|absence|channel|channel_account|push_subscription|notification_rule|mcp_toolkit|member|secret|session|webhook|\w+_key|share_token|hook_token)\./.test(
    action,
  )
    ? null
    : workspace.brain_id
}

test('every route that makes changes writes the documented entries, and none when the request is repeated', async () => {
  const made = new Set<string>()
  await makeEveryChange({
    client: workspace.client,
    workspace,
    openapi_url: `${api.url}/openapi.json`,
    base_url: stack.baseUrl,
    slack,
    hook_url: `${hooks.url}/hook`,
    secret: SECRET,
    owner: await signIn(),
    link_token: await createLink(),
    make: change => {
      made.add(change.operation)
      return makeRecorded(change)
    },
  })
  const changing = readRouteTable()
    // SCIM routes change members as the member routes do: services/access/scim.test.ts.
    .filter(({ method, path }) => method !== 'GET' && !path.startsWith('/scim/'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect([...made, ...READS].sort()).toEqual(changing.sort())
})

test('a rejected request writes no entry', async () => {
  const before = (await list('')).length
  const other = await (await stack.workspace()).newBrain()
  const { body: skill } = await workspace.client.post<Made>('/v1/skills', { title: 'S', instructions: 'Be kind.' })
  const at = `/v1/skills/${skill.id}`
  const { body: run } = await workspace.client.post<Made>('/v1/jobs', {
    pathway: pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }]),
  })
  const key = { 'Idempotency-Key': 'once' }
  await workspace.client.post('/v1/skills', { title: 'Keyed', instructions: 'Be kind.' }, { headers: key })
  const refused = await Promise.all([
    workspace.client.patch(at, { unknown: 1 }),
    workspace.client.patch(at, { title: 'T' }, { headers: { 'If-Match': '"7"' } }),
    workspace.client.patch(at, { title: 'T' }, { headers: { 'X-Brain-Id': other } }),
    workspace.client.patch(`/v1/skills/${randomUUID()}`, { title: 'T' }),
    workspace.client.del(`/v1/skills/${randomUUID()}`),
    workspace.client.post('/v1/skills', { title: 'Other', instructions: 'Be kind.' }, { headers: key }),
    workspace.client.post('/v1/jobs', { pathway: {} }),
    workspace.client.post(`/v1/jobs/${run.job_id}/resume`, { event: 'unknown' }),
    workspace.client.post(`/v1/jobs/${randomUUID()}/cancel`),
    workspace.client.post('/v1/resources/move', { resource_ids: [randomUUID()], path: '/x' }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([400, 409, 403, 404, 404, 409, 400, 400, 404, 400])
  // The entries for the skill, the run and the skill with the key.
  expect((await list('')).length - before).toBe(3)
  await workspace.client.post(`/v1/jobs/${run.job_id}/cancel`)
})

test('the hash after a change equals the hash before the next change, and the hash of the head', async () => {
  const { body: made } = await workspace.client.post<Made>('/v1/skills', { title: 'Chain', instructions: 'One.' })
  const at = `/v1/skills/${made.id}`
  await workspace.client.patch(at, { instructions: 'Two.' })
  await workspace.client.del(at)
  await workspace.client.post(`${at}/restore`)
  await workspace.client.patch(at, { instructions: 'Three.' })
  const entries = (await list(`target_id=${made.id}`)).toReversed()
  expect(entries.map(({ action }) => action.split('.')[1])).toEqual(['create', 'update', 'delete', 'restore', 'update'])
  const chain = entries.map(entry => [entry.before_hash, entry.after_hash])
  for (const [i, [before]] of chain.entries())
    if (before !== null && before !== undefined && i > 0) expect(before).toBe(chain[i - 1]?.[1])
  const hashed = pick(
    resourcesTable,
    'id',
    'kind',
    'brain_id',
    'slug',
    'title',
    'path',
    'scope',
    'is_active',
    'version',
    'document',
  )
  const [head] = await read(hashed, `select ${listColumns(hashed)} from resources where id = $1`, [made.id])
  expect(chain.at(-1)?.[1]).toBe(hashCanonical(head))
})

test('changes made by a run are recorded with its job, its requester and its request id', async () => {
  const target = pathway([{ id: 'one', type: 'transform', with: { value: '1' } }])
  const { body: child } = await workspace.client.post<Made>('/v1/pathways', { title: 'Child', definition: target })
  const parent = pathway([{ id: 'call', type: 'pathway', ref: child.id }])
  const { body: run } = await workspace.client.post<Made>('/v1/jobs', { pathway: parent })
  await waitUntil(async () => (await entriesOf(run.job_id)).length > 0)
  expect(await entriesOf(run.job_id)).toMatchObject([
    {
      action: 'job.start',
      actor: 'user:ann',
      request_id: run.job_id,
      brain_id: workspace.brain_id,
      details: { kind: 'pathway', parent_job_id: run.job_id },
    },
  ])
})

test('filters by actor, action, target and time narrow the list, which is paged and newest first', async () => {
  const bob = await workspace.as('user:bob')
  const { body: made } = await bob.post<Made>('/v1/skills', { title: 'Of Bob', instructions: 'One.' })
  await bob.patch(`/v1/skills/${made.id}`, { instructions: 'Two.' })
  const byBob = await list('actor=user:bob')
  expect(byBob.map(({ action }) => action)).toEqual(['skill.update', 'skill.create'])
  expect(await list(`target_type=skill&target_id=${made.id}`)).toEqual(byBob)
  expect(await list(`target_id=${made.id}&action=skill.create`)).toEqual(byBob.slice(1))
  const [update, create] = byBob
  expect(await list(`actor=user:bob&from=${update?.at}`)).toEqual([update])
  expect(await list(`actor=user:bob&to=${update?.at}`)).toEqual([create])
  const { body: page } = await workspace.client.get<object>('/v1/activity?actor=user:bob&limit=1&offset=1')
  expect(page).toEqual({ data: [create], pagination: { limit: 1, offset: 1, total: 2, has_more: false } })
})

test('a brain narrows the list, and a key bound to brains sees no entries from other brains', async () => {
  const brain = await workspace.newBrain()
  const bound = await workspace.boundTo(brain)
  const { body: inside_ } = await bound.post<Made>('/v1/skills', { title: 'In', instructions: 'One.' })
  const seen = await list('', bound)
  expect(seen.map(({ target }) => target.id)).toContain(inside_.id)
  expect(seen.filter(({ brain_id, actor }) => brain_id !== brain && actor !== 'user:ann')).toEqual([])
  expect(seen.filter(({ brain_id }) => brain_id === workspace.brain_id)).toEqual([])
  const named = await list('', withHeaders(workspace.client, { 'X-Brain-Id': brain }))
  expect(named.filter(({ brain_id }) => brain_id === workspace.brain_id)).toEqual([])
  expect(named.map(({ action }) => action)).toEqual(expect.arrayContaining(['skill.create', 'api_key.create']))
})
