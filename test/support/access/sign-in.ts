import { OPERATOR } from '../../../data/audit/audit-store.ts'
import type { Role } from '../../../domain/access/permissions.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { type Browser, createBrowser } from '../clients/browser.ts'
import type { ConnectedStack, TestWorkspace } from '../stack/stack.ts'

/** Makes a person a member with the given role. Returns the person's browser with a session. */
export async function signInAs(
  { baseUrl, database: { db }, env }: ConnectedStack,
  { id: workspace_id }: Pick<TestWorkspace, 'id'>,
  actor: string,
  role: Role,
): Promise<Browser> {
  const operator = { workspace_id, ...OPERATOR }
  await createMembers({ db }).save(operator, { actor, role })
  const sessions = createSessions({ db, secret: env['API_KEY_SECRET'] ?? '', hours: 1 })
  const { token } = await sessions.createLink(operator, actor)
  const browser = createBrowser(baseUrl)
  const { status } = await browser.openLink(token)
  if (status !== 204) throw new Error(`Signing in as ${actor}: ${status}`)
  return browser
}
