import { randomBytes } from 'node:crypto'
import type { Database } from '../../../data/shared/database.ts'
import { PERMISSIONS } from '../../../domain/access/permissions.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'

export const API_KEY_SECRET = 'a secret of the tests, thirty-two characters and more'

/** Creates a principal with all permissions in a new workspace, with `first_brain` as its default brain. */
export async function createPrincipal(db: Database, actor = 'user:ann'): Promise<Principal & { first_brain: string }> {
  const admin = createAccessAdmin({ db, secret: API_KEY_SECRET })
  const slug = `w-${randomBytes(6).toString('hex')}`
  const workspace = await admin.createWorkspace({ name: slug, slug })
  return {
    workspace_id: workspace.id,
    workspace_slug: slug,
    key_id: 'test',
    actor,
    person: actor,
    people: [actor],
    groups: [],
    permissions: new Set(PERMISSIONS),
    brain_ids: null,
    brain: { id: workspace.brain_id, isExplicit: false },
    first_brain: workspace.brain_id,
  }
}

/** Returns the same principal with a key that is bound to brains. The first brain is the default. */
export const boundTo = (principal: Principal, ...brain_ids: [string, ...string[]]): Principal => ({
  ...principal,
  brain_ids,
  brain: { id: brain_ids[0], isExplicit: false },
})
