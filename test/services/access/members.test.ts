import type { JWTPayload } from 'jose'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { createApiKeys } from '../../../services/access/credentials/api-keys.ts'
import { createSessions, type SessionsService } from '../../../services/access/credentials/sessions.ts'
import { createMembers, type MembersService } from '../../../services/access/members.ts'
import { readProvidedFields } from '../../../services/access/provider/claims.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'

let database: TestDatabase
let members: MembersService
let operator: Manager
let sessions: SessionsService

beforeAll(async () => {
  database = await createTestDatabase()
  const admin = createAccessAdmin({ db: database.db, secret })
  const { slug } = await admin.createWorkspace({ name: 'Members' })
  operator = await admin.manage(slug)
  members = createMembers({ db: database.db })
  sessions = createSessions({ db: database.db, secret, hours: 1 })
})
afterAll(() => database.drop())

describe("a member's profile", () => {
  const profile = {
    display_name: 'Ann Lee',
    email: 'ann@example.com',
    picture_url: 'https://pictures.example.com/ann.png',
  }

  test('is set with the member, and a change of the role keeps it', async () => {
    await members.save(operator, { actor: 'user:ann', role: 'viewer', ...profile })
    const changed = await members.save(operator, { actor: 'user:ann', role: 'builder', groups: ['group:finance'] })
    expect(changed).toMatchObject({ actor: 'user:ann', role: 'builder', groups: ['group:finance'], ...profile })
    expect((await members.list(operator, { limit: 10, offset: 0 })).data).toContainEqual(changed)
  })

  test('is empty for a new member, and null removes a field', async () => {
    const empty = { display_name: null, email: null, picture_url: null }
    expect(await members.save(operator, { actor: 'user:bo' })).toMatchObject({ role: 'builder', groups: [], ...empty })
    await members.save(operator, { actor: 'user:bo', ...profile })
    expect(await members.save(operator, { actor: 'user:bo', email: null })).toMatchObject({ ...profile, email: null })
  })

  test('is updated at a sign-in with the valid claims, and keeps fields without a claim', async () => {
    await members.save(operator, { actor: 'user:cy', ...profile })
    const settings = { OIDC_CREATE_MEMBERS: [], PROVISIONED_ROLE: 'viewer' } as const
    const signIn = async (claims: JWTPayload) => {
      const provided = readProvidedFields({ claims, isComplete: true })
      await sessions.open(operator.workspace_id, 'user:cy', { provided, settings })
      const { data } = await members.list(operator, { limit: 10, offset: 0 })
      return data.find(({ actor }) => actor === 'user:cy')
    }
    const picture = 'https://pictures.example.com/cy.png'
    const claims = { name: 'Cy Ito', email: 'cy@example.com', email_verified: true, picture }
    const updated = { display_name: 'Cy Ito', email: 'cy@example.com', picture_url: picture }
    expect(await signIn(claims)).toMatchObject(updated)
    expect(await signIn({})).toMatchObject(updated)
    const invalid = { name: ' ', email: 'ann@example.com', email_verified: false, picture: 'http://example.com/cy.png' }
    expect(await signIn(invalid)).toMatchObject(updated)
    expect(await signIn({ email: 'ann@example.com', email_verified: 'false' })).toMatchObject(updated)
    expect(await signIn({ ...claims, picture: 'javascript:alert(1)', email: 'no address' })).toMatchObject(updated)
  })

  test('shows the display name to every member', async () => {
    const names = await members.listNames(operator.workspace_id, ['user:cy', 'user:nobody'])
    expect(names).toEqual([{ actor: 'user:cy', display_name: 'Cy Ito' }])
  })
})

describe('a deactivated member', () => {
  const list = async (active: boolean) =>
    (await members.list(operator, { limit: 50, offset: 0, active })).data.map(({ actor }) => actor)

  test('is no longer a member, and loses sessions and keys', async () => {
    const member = await members.save(operator, {
      actor: 'user:dee',
      role: 'operator',
      groups: ['group:ops'],
      display_name: 'Dee',
    })
    const keys = createApiKeys({ db: database.db, secret })
    await keys.create(operator, { name: 'dee', actor: 'user:dee' })
    await sessions.open(operator.workspace_id, 'user:dee')
    const trial = await members.deactivate(operator, 'user:dee', { dry_run: true })
    expect(await list(true)).toContain('user:dee')
    const departure = await members.deactivate(operator, 'user:dee')
    expect(departure).toEqual(trial)
    expect(departure.revoked.map(({ kind }) => kind).toSorted()).toEqual(['api_key', 'session'])
    expect([await list(true), await list(false)]).toEqual([expect.not.arrayContaining(['user:dee']), ['user:dee']])
    const names = await members.listNames(operator.workspace_id, ['user:dee'])
    expect(names).toEqual([{ actor: 'user:dee', display_name: 'Dee' }])
    await expect(sessions.open(operator.workspace_id, 'user:dee')).rejects.toThrow('user:dee is not a member')
    await expect(members.save(operator, { actor: 'user:dee' })).rejects.toThrow('reactivate the member first')
    expect(await members.reactivate(operator, 'user:dee')).toEqual(member)
    expect([await list(true), await list(false)]).toEqual([expect.arrayContaining(['user:dee']), []])
    await sessions.open(operator.workspace_id, 'user:dee')
  })

  test('can be removed, and must not be the last owner', async () => {
    await members.save(operator, { actor: 'user:only', role: 'owner' })
    await expect(members.deactivate(operator, 'user:only')).rejects.toThrow('at least one owner')
    await members.deactivate(operator, 'user:dee')
    await members.remove(operator, 'user:dee')
    expect(await list(false)).toEqual([])
    await expect(members.reactivate(operator, 'user:dee')).rejects.toThrow('does not exist')
  })
})
