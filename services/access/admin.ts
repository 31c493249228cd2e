import { randomUUIDv7 } from 'node:crypto'
import { findWorkspaceBySlug, insertBrain, insertWorkspace } from '../../data/access-store.ts'
import { writeAudit } from '../../data/audit-store.ts'
import type { Database } from '../../data/database.ts'
import { NotFound, ValidationError } from '../../domain/errors.ts'
import { deriveSlug, slugProblem } from '../../domain/slug.ts'
import { applyCore } from '../core/core.ts'
import { createApiKeys } from './api-keys.ts'
import { checkName } from './key-fields.ts'
import type { AccessAdmin } from './types.ts'

/** The actor of the command line in the audit log. */
const ACTOR = 'operator'
const FIRST_BRAIN = 'default'

/**
 * The use cases of the command line.
 * @param secret key of the HMAC under which API keys are stored
 */
export function createAccessAdmin({ db, secret }: { db: Database; secret: string }): AccessAdmin {
  const apiKeys = createApiKeys({ db, secret })
  const manage: AccessAdmin['manage'] = async slug => {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
    if (!workspace) throw new NotFound(`Workspace "${slug}"`)
    return { workspace_id: workspace.id, actor: ACTOR }
  }

  return {
    manage,

    async createWorkspace(fields) {
      const name = checkName(fields.name)
      const id = randomUUIDv7()
      const slug = fields.slug ?? deriveSlug(name, 'workspace', id)
      const problem = slugProblem(slug)
      if (problem) throw new ValidationError(`The slug ${problem}`)
      const brainId = randomUUIDv7()
      await db.inWorkspace(id, async tx => {
        await insertWorkspace(tx, { id, slug, name, default_brain_id: brainId })
        await insertBrain(tx, { id: brainId, name: FIRST_BRAIN })
        await applyCore(tx, fields.core ?? [])
        await writeAudit(tx, { actor: ACTOR, action: 'workspace.create', target: id, details: { slug } })
      })
      return { id, slug, brain_id: brainId }
    },

    async createBrain(workspaceSlug, fields) {
      const name = checkName(fields.name)
      const id = randomUUIDv7()
      const { workspace_id } = await manage(workspaceSlug)
      await db.inWorkspace(workspace_id, async tx => {
        await insertBrain(tx, { id, name })
        await writeAudit(tx, { actor: ACTOR, action: 'brain.create', target: id, details: { name } })
      })
      return { id }
    },

    async createApiKey(workspaceSlug, fields) {
      const { id, api_key } = await apiKeys.create(await manage(workspaceSlug), fields)
      return { id, api_key }
    },
  }
}
