import { randomUUID } from 'node:crypto'
import { KEY_PERMISSIONS } from '../../../domain/access/permissions.ts'
import {
  AuthRequired,
  Conflict,
  Forbidden,
  NotFound,
  Unavailable,
  ValidationError,
} from '../../../domain/shared/errors.ts'
import { openDatabase } from '../../../data/shared/database.ts'
import { createAccessAdmin, type AccessAdmin } from '../../../services/access/admin.ts'
import { createApiKeys, type ApiKeysService } from '../../../services/access/credentials/api-keys.ts'
import { createMembers } from '../../../services/access/members.ts'
import { makeToken, parseToken } from '../../../services/access/credentials/token.ts'
import { createTestAccess } from '../../support/access/access.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'
import { select } from '../../../data/shared/statements.ts'
import { integer, pick, text } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import type { AccessService } from '../../../services/access/access.ts'
import type { Manager } from '../../../services/access/manager.ts'

let database: TestDatabase
let admin: AccessAdmin
let access: AccessService
let apiKeys: ApiKeysService
let operator: Manager
let workspace: { id: string; slug: string; brain_id: string }

beforeAll(async () => {
  database = await createTestDatabase()
  admin = createAccessAdmin({ db: database.db, secret })
  access = createTestAccess(database.db)
  apiKeys = createApiKeys({ db: database.db, secret })
  workspace = await admin.createWorkspace({ name: 'Größe & Co' })
  operator = await admin.manage(workspace.slug)
})
afterAll(() => database.drop())

const keyOf = async (fields: Partial<Parameters<AccessAdmin['createApiKey']>[1]> = {}) =>
  admin.createApiKey(workspace.slug, { name: 'ci', ...fields })

const authenticate = async (token: string, by = access) => (await by.authenticate({ kind: 'api_key', token })).principal

describe('the text of a key', () => {
  test('contains its workspace, 256 random bits and a checksum', () => {
    for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      const key = makeToken('api_key', id)
      expect(key).toMatch(/^gng_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
      expect(parseToken(key)).toEqual({ kind: 'api_key', workspace_id: id, prefix: key.slice(0, 35) })
    }
    expect(makeToken('api_key', workspace.id)).not.toBe(makeToken('api_key', workspace.id))
  })

  test('with any single character changed is detected without a lookup', () => {
    const key = makeToken('api_key', workspace.id)
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'a' ? 'b' : 'a'
      expect(parseToken(key.slice(0, i) + other + key.slice(i + 1))).toBeUndefined()
    }
    expect(parseToken(`${key} `)).toBeUndefined()
    expect(parseToken('')).toBeUndefined()
  })
})

describe('a key', () => {
  test('acts as itself when it is not bound to a person', async () => {
    const { id, api_key } = await keyOf()
    expect(await authenticate(api_key)).toEqual({
      workspace_id: workspace.id,
      workspace_slug: 'grosse-co',
      key_id: id,
      actor: 'key:ci',
      person: 'key:ci',
      people: ['key:ci'],
      groups: [],
      permissions: new Set(KEY_PERMISSIONS),
      brain_ids: null,
      brain: { id: workspace.brain_id, isExplicit: false },
    })
  })

  test('acts as its person, with the groups that the key and the member have', async () => {
    const members = createMembers({ db: database.db })
    await members.save(operator, { actor: 'user:ann', groups: ['group:gone'] })
    await members.save(operator, { actor: 'user:ann', groups: ['group:cfo', 'group:finance'] })
    const { api_key } = await keyOf({ actor: 'user:ann', groups: ['group:finance', 'group:x'] })
    expect(await authenticate(api_key)).toMatchObject({
      actor: 'user:ann',
      groups: ['group:finance', 'group:x', 'group:cfo'],
    })
  })

  test("with an owner acts as itself, and a person's key has no owner", async () => {
    const { api_key } = await keyOf({ name: 'reports', owner: 'user:ann' })
    const people = ['user:ann', 'key:reports']
    const expected = { actor: 'key:reports', person: 'user:ann', people, groups: [] }
    expect(await authenticate(api_key)).toMatchObject(expected)
    await expect(keyOf({ owner: 'group:finance' })).rejects.toBeInstanceOf(ValidationError)
    await expect(keyOf({ actor: 'user:ann', owner: 'user:bo' })).rejects.toBeInstanceOf(ValidationError)
  })

  test('that is missing, malformed, unknown or has a wrong secret is rejected', async () => {
    const { api_key } = await keyOf()
    const strange = createTestAccess(database.db, {}, `other ${secret}`)
    const guesses = ['', 'nonsense', makeToken('api_key', workspace.id), makeToken('api_key', randomUUID())]
    for (const guess of guesses) await expect(authenticate(guess)).rejects.toBeInstanceOf(AuthRequired)
    await expect(authenticate(api_key, strange)).rejects.toBeInstanceOf(AuthRequired)
  })

  test('with the public part of another key and a valid checksum is rejected', async () => {
    const { api_key } = await keyOf()
    let forged = makeToken('api_key', workspace.id)
    const shown = api_key.slice(0, 35)
    // The checksum covers the whole key, so a forger has to compute a new checksum. Anyone can do that.
    const { crc32 } = await import('node:zlib')
    const body = shown + forged.slice(35, forged.lastIndexOf('_'))
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let sum = ''
    for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) sum = digits.charAt(rest % 62) + sum
    forged = `${body}_${sum.padStart(6, '0')}`
    expect(parseToken(forged)?.prefix).toBe(shown)
    await expect(authenticate(forged)).rejects.toBeInstanceOf(AuthRequired)
  })

  test('is stored only as its HMAC', async () => {
    const { id, api_key } = await keyOf()
    const [row] = await database.db.inWorkspace(workspace.id, tx =>
      select(
        tx,
        { text: text(), bytes: integer() },
        'select credentials::text as text, length(hmac) as bytes from credentials where id = $1',
        [id],
      ),
    )
    expect(row).toMatchObject({ bytes: 32 })
    expect(JSON.stringify(row)).not.toContain(api_key.slice(0, 40))
  })

  test('that has expired is rejected, even if it is cached', async () => {
    const end = Date.now() + 3_000
    const { api_key } = await keyOf({ expires_at: new Date(end).toISOString() })
    expect(await authenticate(api_key)).toMatchObject({ actor: 'key:ci' })
    await new Promise(resolve => setTimeout(resolve, end + 100 - Date.now()))
    await expect(authenticate(api_key)).rejects.toBeInstanceOf(AuthRequired)
  })

  test('that is revoked is rejected immediately by a new process, and within five seconds by any process', async () => {
    const { id, api_key } = await keyOf()
    await authenticate(api_key)
    await apiKeys.revoke(operator, id)
    await expect(authenticate(api_key, createTestAccess(database.db))).rejects.toBeInstanceOf(AuthRequired)
    expect(await authenticate(api_key)).toMatchObject({ key_id: id })
    await new Promise(resolve => setTimeout(resolve, 5_100))
    await expect(authenticate(api_key)).rejects.toBeInstanceOf(AuthRequired)
    const listed = await apiKeys.list(operator, { limit: 200, offset: 0 })
    expect(listed.data.find(key => key.id === id)).toMatchObject({
      revoked_at: expect.any(String),
      prefix: api_key.slice(0, 35),
    })
  })

  test('is listed as changed once it is revoked or expired, or grants something else', async () => {
    const members = createMembers({ db: database.db })
    await members.save(operator, { actor: 'user:cy', role: 'builder' })
    const end = Date.now() + 3_000
    const expires_at = new Date(end).toISOString()
    const keys = await Promise.all([keyOf(), keyOf(), keyOf({ expires_at }), keyOf(), keyOf({ actor: 'user:cy' })])
    const [valid, revoked, expired, narrowed, member] = await Promise.all(
      keys.map(({ api_key: token }) => access.authenticate({ kind: 'api_key', token })),
    )
    const callers = [valid, revoked, expired, narrowed, member].filter(caller => caller !== undefined)
    expect(await access.findChangedCallers(workspace.id, callers)).toEqual(new Set())
    await apiKeys.revoke(operator, revoked?.principal.key_id ?? '')
    await apiKeys.replace(operator, narrowed?.principal.key_id ?? '', { name: 'narrowed', permissions: ['jobs:read'] })
    await members.save(operator, { actor: 'user:cy', role: 'viewer' })
    await new Promise(resolve => setTimeout(resolve, end + 100 - Date.now()))
    const changed = await access.findChangedCallers(workspace.id, callers)
    expect(changed).toEqual(new Set([revoked, expired, narrowed, member]))
  })

  test('cannot be looked up without Postgres, and this is not reported as a client error', async () => {
    const away = createTestAccess(openDatabase({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x', DATABASE_POOL: 1 }))
    await expect(authenticate(makeToken('api_key', workspace.id), away)).rejects.toBeInstanceOf(Unavailable)
  })
})

describe('brains', () => {
  const principal = async (brain_ids?: string[]) => authenticate((await keyOf({ brain_ids })).api_key)

  test('a brain of the workspace is added to the caller', async () => {
    const caller = await principal()
    const { id } = await admin.createBrain(workspace.slug, { name: 'second' })
    expect(await access.withBrain(caller, undefined)).toBe(caller)
    for (const brain of [workspace.brain_id, id, id.toUpperCase()])
      expect((await access.withBrain(caller, brain)).brain).toEqual({ id: brain.toLowerCase(), isExplicit: true })
  })

  test('a brain id that is unknown, in another workspace or not permitted to the key is forbidden, and a malformed UUID is invalid', async () => {
    const other = await admin.createWorkspace({ name: 'Other brains' })
    const { id } = await admin.createBrain(workspace.slug, { name: 'third' })
    const bound = await principal([workspace.brain_id])
    expect((await access.withBrain(bound, workspace.brain_id)).brain?.id).toBe(workspace.brain_id)
    await expect(access.withBrain(bound, id)).rejects.toBeInstanceOf(Forbidden)
    await expect(access.withBrain(await principal(), other.brain_id)).rejects.toBeInstanceOf(Forbidden)
    await expect(access.withBrain(await principal(), randomUUID())).rejects.toBeInstanceOf(Forbidden)
    await expect(access.withBrain(bound, 'x')).rejects.toBeInstanceOf(ValidationError)
  })

  test('a second brain in a request must match the first', async () => {
    const { id } = await admin.createBrain(workspace.slug, { name: 'fourth' })
    const named = await access.withBrain(await principal(), workspace.brain_id)
    expect(await access.withBrain(named, workspace.brain_id.toUpperCase())).toEqual(named)
    await expect(access.withBrain(named, id)).rejects.toMatchObject({ details: [{ pointer: '/brain_id' }] })
  })

  test('a key works in its default brain, in its only brain, or in the default brain of the workspace', async () => {
    const [second, third] = await Promise.all(
      ['second', 'third'].map(async name => (await admin.createBrain(workspace.slug, { name })).id),
    )
    const first = workspace.brain_id
    const defaultOf = async (fields: Parameters<typeof keyOf>[0]) =>
      (await authenticate((await keyOf(fields)).api_key)).brain?.id
    expect(await defaultOf({})).toBe(first)
    expect(await defaultOf({ default_brain_id: second?.toUpperCase() })).toBe(second)
    expect(await defaultOf({ brain_ids: [second ?? ''] })).toBe(second)
    expect(await defaultOf({ brain_ids: [second ?? '', first] })).toBe(first)
    expect(await defaultOf({ brain_ids: [second ?? '', third ?? ''] })).toBeUndefined()
    expect(await defaultOf({ brain_ids: [second ?? '', third ?? ''], default_brain_id: third })).toBe(third)
  })
})

describe('the operator', () => {
  test('receives errors that contain the taken slug, the malformed value and the missing object', async () => {
    await expect(admin.createWorkspace({ name: 'x', slug: workspace.slug })).rejects.toThrow(
      new Conflict('The slug "grosse-co" is taken'),
    )
    await expect(admin.createWorkspace({ name: 'x', slug: 'Not A Slug' })).rejects.toBeInstanceOf(ValidationError)
    await expect(admin.createWorkspace({ name: ' ' })).rejects.toBeInstanceOf(ValidationError)
    await expect(admin.createBrain('nowhere', { name: 'x' })).rejects.toThrow('Workspace "nowhere" does not exist')
    await expect(apiKeys.revoke(operator, randomUUID())).rejects.toBeInstanceOf(NotFound)
    const bad = [
      { actor: 'ann' },
      { actor: 'key:ci' },
      { groups: ['finance'] },
      { brain_ids: ['x'] },
      { brain_ids: [randomUUID()] },
      { default_brain_id: randomUUID() },
      { brain_ids: [workspace.brain_id], default_brain_id: randomUUID() },
      { expires_at: 'tomorrow' },
    ]
    for (const fields of bad) await expect(keyOf(fields)).rejects.toBeInstanceOf(ValidationError)
  })

  test('leaves one audit log entry for each action', async () => {
    const made = await admin.createWorkspace({ name: 'Audited' })
    const { id } = await admin.createApiKey(made.slug, { name: 'ci' })
    await apiKeys.revoke(await admin.manage(made.slug), id)
    const lines = await database.db.inWorkspace(made.id, tx =>
      select(
        tx,
        pick(auditLogTable, 'actor', 'action', 'target'),
        'select actor, action, target from audit_log order by id',
      ),
    )
    expect(lines).toEqual([
      { actor: 'operator', action: 'workspace.create', target: made.id },
      { actor: 'operator', action: 'api_key.create', target: id },
      { actor: 'operator', action: 'api_key.revoke', target: id },
    ])
  })
})
