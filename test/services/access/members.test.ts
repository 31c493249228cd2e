import { createAccessAdmin } from '../../../services/access/admin.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { createMembers, type MembersService } from '../../../services/access/members.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'

let database: TestDatabase
let members: MembersService
let operator: Manager

beforeAll(async () => {
  database = await createTestDatabase()
  const admin = createAccessAdmin({ db: database.db, secret })
  const { slug } = await admin.createWorkspace({ name: 'Members' })
  operator = await admin.manage(slug)
  members = createMembers({ db: database.db })
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
    expect(changed).toEqual({ actor: 'user:ann', role: 'builder', groups: ['group:finance'], ...profile })
    expect((await members.list(operator, { limit: 10, offset: 0 })).data).toContainEqual(changed)
  })

  test('is empty for a new member, and null removes a field', async () => {
    const empty = { display_name: null, email: null, picture_url: null }
    expect(await members.save(operator, { actor: 'user:bo' })).toMatchObject({ role: 'builder', groups: [], ...empty })
    await members.save(operator, { actor: 'user:bo', ...profile })
    expect(await members.save(operator, { actor: 'user:bo', email: null })).toMatchObject({ ...profile, email: null })
  })
})
