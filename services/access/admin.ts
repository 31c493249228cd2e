import { randomUUIDv7 } from 'node:crypto'
import { findWorkspaceBySlug, insertBrain, insertWorkspace } from '../../data/access/access-store.ts'
import { OPERATOR, writeAudit } from '../../data/audit/audit-store.ts'
import { listBrainPage, type BrainRow } from '../../data/access/brains-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { savePlan, type StoredPlan } from '../../data/access/plans-store.ts'
import { setEvidenceDays } from '../../data/people/votes-store.ts'
import { NotFound, ValidationError } from '../../domain/shared/errors.ts'
import { deriveSlug, slugProblem } from '../../domain/shared/text/slug.ts'
import { applyCore, type CoreDefinition } from '../shared/core.ts'
import { createBrains, MAX_BRAINS } from './manage-brains.ts'
import { createApiKeys } from './credentials/api-keys.ts'
import { checkName, type KeyFields } from './credentials/key-fields.ts'
import type { Manager } from './manager.ts'

/** Command-line operations that have no route. They run under the app's database role. */
export interface AccessAdmin {
  /** Returns the operator as a manager of the workspace. Throws NotFound. */
  manage(workspaceSlug: string): Promise<Manager>
  /** Creates a workspace with a default brain and the given core resources. */
  createWorkspace(fields: {
    name: string
    slug?: string
    core?: CoreDefinition[]
    plan?: StoredPlan
  }): Promise<{ id: string; slug: string; brain_id: string }>
  /** Replaces a workspace's plan. The new plan takes effect within seconds. */
  setPlan(workspaceSlug: string, plan: StoredPlan): Promise<void>
  /**
   * Sets how many days votes are kept after their run is deleted (at least 365). Null keeps votes forever. Throws
   * ValidationError.
   */
  setEvidenceDays(workspaceSlug: string, days: number | null): Promise<void>
  createBrain(workspaceSlug: string, fields: { name: string }): Promise<{ id: string }>
  /** Sets the workspace's default brain, which applies to credentials without their own default. Throws NotFound. */
  setDefaultBrain(workspaceSlug: string, id: string): Promise<BrainRow>
  /** Lists the brains of a workspace, oldest first. */
  listBrains(workspaceSlug: string): Promise<BrainRow[]>
  /** Creates an API key. Returns the plaintext key in `api_key`. */
  createApiKey(workspaceSlug: string, fields: KeyFields): Promise<{ id: string; api_key: string }>
}

const FIRST_BRAIN = 'default'
/** The database always keeps votes for a year. */
const MIN_EVIDENCE_DAYS = 365
const MAX_EVIDENCE_DAYS = 36_500
const ALL_BRAINS = { limit: MAX_BRAINS, offset: 0 }

/**
 * Creates the command-line operations.
 * @param secret HMAC key used to store API keys
 */
export function createAccessAdmin({ db, secret }: { db: Database; secret: string }): AccessAdmin {
  const apiKeys = createApiKeys({ db, secret })
  const brains = createBrains({ db })
  const manage: AccessAdmin['manage'] = async slug => {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
    if (!workspace) throw new NotFound(`Workspace "${slug}"`)
    return { workspace_id: workspace.id, ...OPERATOR }
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
        if (fields.plan) await savePlan(tx, fields.plan)
        await applyCore(tx, fields.core ?? [])
        const after = { id, slug, name, default_brain_id: brainId }
        await writeAudit(tx, OPERATOR, { action: 'workspace.create', target: id, after, details: { slug } })
      })
      return { id, slug, brain_id: brainId }
    },

    async setPlan(workspaceSlug, plan) {
      const { workspace_id: id } = await manage(workspaceSlug)
      await db.inWorkspace(id, async tx => {
        await savePlan(tx, plan)
        await writeAudit(tx, OPERATOR, { action: 'workspace.set_plan', target: id, after: plan, details: { ...plan } })
      })
    },

    async setEvidenceDays(workspaceSlug, days) {
      if (days !== null && !(Number.isInteger(days) && days >= MIN_EVIDENCE_DAYS && days <= MAX_EVIDENCE_DAYS))
        throw new ValidationError(`The number of days must be from ${MIN_EVIDENCE_DAYS} to ${MAX_EVIDENCE_DAYS}`)
      const { workspace_id: id } = await manage(workspaceSlug)
      await db.inWorkspace(id, async tx => {
        await setEvidenceDays(tx, id, days)
        const after = { evidence_days: days }
        await writeAudit(tx, OPERATOR, { action: 'workspace.set_evidence', target: id, after, details: after })
      })
    },

    async createBrain(workspaceSlug, fields) {
      const { id } = await brains.create(await manage(workspaceSlug), fields)
      return { id }
    },

    setDefaultBrain: async (workspaceSlug, id) =>
      brains.change({ ...(await manage(workspaceSlug)), brain_ids: null }, id, { is_default: true }),

    async listBrains(workspaceSlug) {
      const { workspace_id } = await manage(workspaceSlug)
      return db.inWorkspace(workspace_id, async tx => (await listBrainPage(tx, { ids: null, ...ALL_BRAINS })).rows)
    },

    async createApiKey(workspaceSlug, fields) {
      const { id, api_key } = await apiKeys.create(await manage(workspaceSlug), fields)
      return { id, api_key }
    },
  }
}
