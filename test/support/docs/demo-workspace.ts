import { randomBytes } from 'node:crypto'
import { CORE_FILE, readCore } from '../../../api/admin/core-file.ts'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createMembers } from '../../../services/access/members.ts'
import type { ConnectedStack } from '../stack/stack.ts'

export interface DemoWorkspace {
  slug: string
  api_key: string
}

/** Creates a workspace as `npm start` does, with the built-in resources and a key that belongs to its owner. */
export async function createDemoWorkspace({ env, database }: ConnectedStack): Promise<DemoWorkspace> {
  const admin = createAccessAdmin({ db: database.db, secret: env['API_KEY_SECRET'] ?? '' })
  const slug = `docs-${randomBytes(5).toString('hex')}`
  const { id } = await admin.createWorkspace({ name: 'Demo', slug, core: readCore(CORE_FILE) })
  const owner = { actor: 'user:demo', role: 'owner' } as const
  await createMembers({ db: database.db }).save({ workspace_id: id, ...OPERATOR }, owner)
  const { api_key } = await admin.createApiKey(slug, { name: 'demo', actor: owner.actor })
  return { slug, api_key }
}
