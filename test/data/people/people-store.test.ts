import { listOwnNames, listPeopleBehind } from '../../../data/people/people-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { saveMember } from '../../../data/access/members-store.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET, createPrincipal } from '../../support/shared/workspace.ts'
import { execute } from '../../../data/shared/statements.ts'

let database: TestDatabase
let workspace: { id: string; slug: string }
const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace.id, work)

beforeAll(async () => {
  database = await createTestDatabase()
  const { workspace_id: id, workspace_slug: slug } = await createPrincipal(database.db)
  workspace = { id, slug }
  for (const actor of ['user:ann', 'user:cy']) await inside(tx => saveMember(tx, { actor, role: 'admin', groups: [] }))
  const admin = createAccessAdmin({ db: database.db, secret: API_KEY_SECRET })
  const createdBy = async (fields: Parameters<typeof admin.createApiKey>[1], creator: string) => {
    const { id: key } = await admin.createApiKey(slug, fields)
    await inside(tx => execute(tx, 'update credentials set created_by = $2 where id = $1', [key, creator]))
  }
  await createdBy({ name: 'owned', owner: 'user:ann' }, 'user:bob')
  await createdBy({ name: 'made' }, 'key:owned')
  await createdBy({ name: 'of the operator', groups: ['group:machines'] }, 'operator')
  await createdBy({ name: 'personal', actor: 'user:cy', groups: ['group:finance'] }, 'user:cy')
})
afterAll(() => database.drop())

test.each([
  [['user:dee'], ['user:dee']],
  [['key:owned'], ['key:owned', 'user:ann', 'user:bob']],
  [['key:made'], ['key:made', 'key:owned', 'user:ann', 'user:bob']],
  [['key:of the operator'], ['key:of the operator']],
  [
    ['user:dee', 'unknown', 'key:unheard of'],
    ['key:unheard of', 'user:dee'],
  ],
])('the people behind %j are %j', async (names, people) => {
  const found = await inside(tx => listPeopleBehind(tx, names))
  expect(found.toSorted()).toEqual(people.toSorted())
  expect(found[0]).toBe(names[0])
})

test.each([
  ['user:ann', ['user:ann', 'key:owned']],
  ['user:bob', ['key:owned']],
  ['user:cy', ['group:finance']],
  ['user:dee', []],
])('%s could answer as %j', async (person, own) => {
  const names = ['user:ann', 'key:owned', 'key:personal', 'group:finance', 'group:machines', 'user:gone']
  expect((await inside(tx => listOwnNames(tx, [person], names))).toSorted()).toEqual(own.toSorted())
})
