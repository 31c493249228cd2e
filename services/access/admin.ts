import { randomUUIDv7 } from 'node:crypto'
import {
  findExistingBrains,
  findWorkspaceBySlug,
  insertApiKey,
  insertBrain,
  insertWorkspace,
  listApiKeys,
  listMembers,
  revokeApiKey,
  saveMember,
} from '../../data/access-store.ts'
import { OPERATOR, writeAudit } from '../../data/audit-store.ts'
import type { Database } from '../../data/database.ts'
import { isUuid } from '../../data/uuid.ts'
import { NotFound, ValidationError } from '../../domain/errors.ts'
import { deriveSlug, slugProblem } from '../../domain/slug.ts'
import { applyCore } from '../core/core.ts'
import { toActor } from './access.ts'
import { computeHmac, makeApiKey, parseApiKey } from './api-key.ts'
import { checkActor, checkGroups, checkKeyFields, checkName } from './key-fields.ts'
import type { AccessAdmin } from './types.ts'

const FIRST_BRAIN = 'default'

/**
 * The use cases of the command line.
 * @param secret key of the HMAC under which API keys are stored
 */
export function createAccessAdmin({ db, secret }: { db: Database; secret: string }): AccessAdmin {
  const workspaceId = async (slug: string): Promise<string> => {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
    if (!workspace) throw new NotFound(`Workspace "${slug}"`)
    return workspace.id
  }

  return {
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
        const after = { id, slug, name, default_brain_id: brainId }
        await writeAudit(tx, OPERATOR, { action: 'workspace.create', target: id, after, details: { slug } })
      })
      return { id, slug, brain_id: brainId }
    },

    async createBrain(workspaceSlug, fields) {
      const name = checkName(fields.name)
      const id = randomUUIDv7()
      await db.inWorkspace(await workspaceId(workspaceSlug), async tx => {
        await insertBrain(tx, { id, name })
        const after = { id, name }
        await writeAudit(tx, OPERATOR, { action: 'brain.create', target: id, brain_id: id, after, details: { name } })
      })
      return { id }
    },

    async setMember(workspaceSlug, fields) {
      const member = { actor: checkActor(fields.actor), groups: checkGroups(fields.groups) }
      await db.inWorkspace(await workspaceId(workspaceSlug), async tx => {
        const before = await saveMember(tx, member)
        const { actor: target, groups } = member
        const entry = { action: 'member.set' as const, target, before, after: member, details: { groups } }
        await writeAudit(tx, OPERATOR, entry)
      })
    },

    async listMembers(workspaceSlug) {
      return db.inWorkspace(await workspaceId(workspaceSlug), listMembers)
    },

    async createApiKey(workspaceSlug, fields) {
      const checked = checkKeyFields(fields)
      const workspace = await workspaceId(workspaceSlug)
      const id = randomUUIDv7()
      const apiKey = makeApiKey(workspace)
      const prefix = parseApiKey(apiKey)?.prefix ?? ''
      await db.inWorkspace(workspace, async tx => {
        const named = [
          ...(checked.brain_ids ?? []),
          ...(checked.default_brain_id === null ? [] : [checked.default_brain_id]),
        ]
        const known = await findExistingBrains(tx, named)
        const missing = named.find(brain => !known.has(brain))
        if (missing) throw new ValidationError(`The workspace has no brain ${missing}`)
        await insertApiKey(tx, { ...checked, id, prefix, hmac: computeHmac(apiKey, secret) })
        const details = { name: checked.name, acts_as: toActor(checked), owner: checked.owner }
        await writeAudit(tx, OPERATOR, { action: 'api_key.create', target: id, after: { id, ...checked }, details })
      })
      return { id, api_key: apiKey }
    },

    async revokeApiKey(workspaceSlug, id) {
      await db.inWorkspace(await workspaceId(workspaceSlug), async tx => {
        if (!isUuid(id) || !(await revokeApiKey(tx, id))) throw new NotFound(`API key ${id}`)
        await writeAudit(tx, OPERATOR, { action: 'api_key.revoke', target: id })
      })
    },

    async listApiKeys(workspaceSlug) {
      const keys = await db.inWorkspace(await workspaceId(workspaceSlug), listApiKeys)
      return keys.map(key => ({
        id: key.id,
        name: key.name,
        actor: toActor(key),
        owner: key.owner,
        prefix: key.prefix,
        brain_ids: key.brain_ids,
        default_brain_id: key.default_brain_id,
        created_at: key.created_at,
        expires_at: key.expires_at,
        revoked_at: key.revoked_at,
      }))
    },
  }
}
