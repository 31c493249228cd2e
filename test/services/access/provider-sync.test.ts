import { listAudit } from '../../../data/audit/audit-store.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createApiKeys } from '../../../services/access/credentials/api-keys.ts'
import { createSessions, type SessionsService } from '../../../services/access/credentials/sessions.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { createMembers, type MembersService, type MemberView } from '../../../services/access/members.ts'
import { readProvidedFields, type UserClaims } from '../../../services/access/provider/claims.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'

let database: TestDatabase
let members: MembersService
let operator: Manager
let sessions: SessionsService
let slug: string

beforeAll(async () => {
  database = await createTestDatabase()
  const admin = createAccessAdmin({ db: database.db, secret })
  ;({ slug } = await admin.createWorkspace({ name: 'Provider' }))
  operator = await admin.manage(slug)
  members = createMembers({ db: database.db })
  sessions = createSessions({ db: database.db, secret, hours: 1 })
  await members.save(operator, { actor: 'user:olga', role: 'owner' })
})
afterAll(() => database.drop())

const settings = {
  OIDC_GROUPS_CLAIM: 'groups',
  OIDC_ROLES_CLAIM: 'realm_access.roles',
  OIDC_ROLE_MAP: { admins: { role: 'admin' }, builders: { role: 'builder' }, owners: { role: 'owner' } },
  OIDC_CREATE_MEMBERS: [] as string[],
  PROVISIONED_ROLE: 'viewer',
} as const

const claimsOf = (groups: string[] = [], roles: string[] = []) => ({ groups, realm_access: { roles } })

async function signIn(actor: string, claims: object, more: object = {}, isComplete = true): Promise<MemberView> {
  const user: UserClaims = { claims: { ...claims }, isComplete }
  const all = { ...settings, ...more }
  await sessions.open(operator.workspace_id, actor, { provided: readProvidedFields(user, all), settings: all })
  return read(actor)
}

async function read(actor: string): Promise<MemberView> {
  const { data } = await members.list(operator, { limit: 50, offset: 0 })
  return data.find(member => member.actor === actor) as MemberView
}

describe('the groups of a member who signs in', () => {
  test('follow the claim, and groups that were set by hand stay', async () => {
    await members.save(operator, { actor: 'user:ann', groups: ['group:legal', 'group:finance'] })
    const signedIn = await signIn('user:ann', claimsOf(['finance', 'audit']))
    expect(signedIn).toMatchObject({
      groups: ['group:legal', 'group:finance', 'group:audit'],
      group_sources: { 'group:audit': 'oidc' },
    })
    expect(await signIn('user:ann', claimsOf(['tax']))).toMatchObject({
      groups: ['group:legal', 'group:finance', 'group:tax'],
      group_sources: { 'group:tax': 'oidc' },
    })
    expect(await signIn('user:ann', {})).toMatchObject({ groups: ['group:legal', 'group:finance'], group_sources: {} })
  })

  test('stay as they are if the provider does not name them', async () => {
    await members.save(operator, { actor: 'user:bo' })
    const before = await signIn('user:bo', claimsOf(['finance']))
    const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://example.com' } } }
    expect(await signIn('user:bo', overage)).toEqual(before)
    expect(await signIn('user:bo', {}, {}, false)).toEqual(before)
    expect(await signIn('user:bo', {}, { OIDC_GROUPS_CLAIM: undefined })).toEqual(before)
  })

  test('are mapped, and values that are not in the map or no valid names are ignored', async () => {
    await members.save(operator, { actor: 'user:cy' })
    const map = { OIDC_GROUP_MAP: { '2f1c-77': 'group:finance' } }
    expect((await signIn('user:cy', claimsOf(['2f1c-77', 'audit', 'toString']), map)).groups).toEqual(['group:finance'])
    const odd = { groups: ['a b', '', 7, null, 'x'.repeat(300), 'ok'] }
    expect((await signIn('user:cy', odd)).groups).toEqual(['group:ok'])
    expect((await signIn('user:cy', { groups: 'single' })).groups).toEqual(['group:single'])
  })

  test('contain a group once if the map gives it for several values', async () => {
    await members.save(operator, { actor: 'user:kai' })
    const teams = Array.from({ length: 100 }, (_, i) => `team-${i}`)
    const names = Object.fromEntries(teams.map(team => [team, 'group:finance']))
    const map = { OIDC_GROUP_MAP: { ...names, audit: 'group:audit' } }
    const { groups } = await signIn('user:kai', claimsOf([...teams, 'audit']), map)
    expect(groups).toEqual(['group:finance', 'group:audit'])
  })

  test('are removed from the keys of the member when the claim no longer names them', async () => {
    await members.save(operator, { actor: 'user:di', role: 'builder', groups: ['group:legal'] })
    await signIn('user:di', claimsOf(['finance']))
    const keys = createApiKeys({ db: database.db, secret })
    const groups = ['group:legal', 'group:finance']
    const { id } = await keys.create(operator, { name: 'sync', actor: 'user:di', groups })
    await signIn('user:di', claimsOf())
    expect((await keys.read(operator, id)).groups).toEqual(['group:legal'])
  })
})

describe('the role of a member who signs in', () => {
  test('is the highest mapped role, and drops when no value is mapped any longer', async () => {
    await members.save(operator, { actor: 'user:ed', role: 'reviewer' })
    expect(await signIn('user:ed', claimsOf([], ['other']))).toMatchObject({ role: 'reviewer', role_source: 'manual' })
    expect(await signIn('user:ed', claimsOf([], ['builders', 'admins']))).toMatchObject({
      role: 'admin',
      role_source: 'oidc',
    })
    expect(await signIn('user:ed', {}, {}, false)).toMatchObject({ role: 'admin' })
    expect(await signIn('user:ed', claimsOf())).toMatchObject({ role: 'viewer', role_source: 'oidc' })
    await members.save(operator, { actor: 'user:ed', role: 'operator' })
    expect(await signIn('user:ed', claimsOf())).toMatchObject({ role: 'operator', role_source: 'manual' })
  })

  test('can be limited to a workspace', async () => {
    await members.save(operator, { actor: 'user:flo', role: 'viewer' })
    const roles = (workspace: string) => ({ OIDC_ROLE_MAP: { builders: { role: 'builder', workspace } } })
    expect((await signIn('user:flo', claimsOf([], ['builders']), roles('elsewhere'))).role).toBe('viewer')
    expect((await signIn('user:flo', claimsOf([], ['builders']), roles(slug))).role).toBe('builder')
  })

  test('stays owner for the only owner', async () => {
    expect((await signIn('user:olga', claimsOf([], ['builders']))).role).toBe('owner')
    await members.save(operator, { actor: 'user:gus', role: 'owner' })
    expect((await signIn('user:gus', claimsOf([], ['builders']))).role).toBe('builder')
  })
})

describe('a person who is not a member', () => {
  test('is created at sign-in only in the listed workspaces, and the change is in the audit log', async () => {
    const claims = { ...claimsOf(['finance']), name: 'Hal Roe' }
    await expect(signIn('user:hal', claims)).rejects.toThrow('user:hal is not a member of the workspace')
    await expect(signIn('user:hal', claims, { OIDC_CREATE_MEMBERS: ['elsewhere'] })).rejects.toThrow('not a member')
    expect(await signIn('user:hal', claims, { OIDC_CREATE_MEMBERS: [slug] })).toMatchObject({
      role: 'viewer',
      role_source: 'oidc',
      display_name: 'Hal Roe',
      groups: ['group:finance'],
    })
    await signIn('user:hal', claims)
    const filter = { action: 'member.set', target: 'user:hal', limit: 10, offset: 0 }
    const { rows } = await database.db.inWorkspace(operator.workspace_id, tx => listAudit(tx, filter))
    expect(rows).toMatchObject([
      { actor: 'user:hal', details: { role: 'viewer', groups: ['group:finance'], source: 'oidc' } },
    ])
  })

  test('is not readmitted after a deactivation', async () => {
    const settings = { OIDC_CREATE_MEMBERS: [slug] }
    await signIn('user:ida', claimsOf([], ['admins']), settings)
    await members.deactivate(operator, 'user:ida')
    await expect(signIn('user:ida', claimsOf([], ['admins']), settings)).rejects.toThrow('not a member')
    expect(await read('user:ida')).toBeUndefined()
    expect(await members.reactivate(operator, 'user:ida')).toMatchObject({ role: 'admin' })
  })
})
