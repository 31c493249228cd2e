import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createMembers } from '../../../services/access/members.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

test('display names are looked up together with names that are not those of members', async () => {
  const { db } = context.stack.database
  const operator = { workspace_id: context.workspace.id, ...OPERATOR }
  await createMembers({ db }).save(operator, { actor: 'user:mia', role: 'reviewer', display_name: 'Mia Roe' })
  const reader = await context.workspace.permittedTo('interventions:read')
  const actors = ['user:mia', 'user:nobody', 'guest:mia@example.com', 'group:finance', 'key:nightly import']
  const { body } = await reader.get(`/v1/members/names?actors=${actors.map(encodeURIComponent).join(',')}`)
  expect(body).toEqual({ data: [{ actor: 'user:mia', display_name: 'Mia Roe' }] })
})
