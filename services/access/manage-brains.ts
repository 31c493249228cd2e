import { randomUUIDv7 } from 'node:crypto'
import { insertBrain, lockWorkspace } from '../../data/access/access-store.ts'
import { type AuditAuthor, writeAudit } from '../../data/audit/audit-store.ts'
import {
  type BrainRow,
  countBrains,
  findBrain,
  listBrainPage,
  renameBrain,
  setDefaultBrain,
  setDefaultMap,
} from '../../data/access/brains-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findResource } from '../../data/resources/resources-store.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { BrainAccess, Principal } from '../../domain/access/principal.ts'
import { isUuid } from '../../domain/shared/uuid.ts'
import type { BrainView, BrainChange } from '../../contract/access/brain.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { visibleBrains } from './brains.ts'
import { checkName } from './credentials/key-fields.ts'

/** Maximum number of brains per workspace. */
export const MAX_BRAINS = 1_000

type Author = AuditAuthor & { workspace_id: string }

/** A workspace's brains. Methods throw ValidationError for invalid names. */
export interface BrainsService {
  /** Lists the brains that the principal may see. */
  list(principal: Principal, page: PageQuery): Promise<{ data: BrainView[]; total: number }>
  /** Throws Conflict if the workspace already has the maximum number of brains. */
  create(by: Author, fields: { name: string }): Promise<BrainView>
  /**
   * Changes a brain: renames it, sets its default map, or makes it the workspace default. Credentials without their
   * own default use the new default brain within seconds. Throws NotFound for a brain that the author cannot see, and
   * ValidationError for a map that is not visible from the brain.
   */
  change(by: Author & BrainAccess, id: string, change: BrainChange): Promise<BrainView>
}

export function createBrains({ db }: { db: Database }): BrainsService {
  return {
    async list(principal, page) {
      const ids = visibleBrains(principal)
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx => listBrainPage(tx, { ids, ...page }))
      return { data: rows, total }
    },

    async create(by, fields) {
      const name = checkName(fields.name)
      return db.inWorkspace(by.workspace_id, async tx => {
        await lockWorkspace(tx)
        if ((await countBrains(tx)) >= MAX_BRAINS)
          throw new Conflict(`The workspace has ${MAX_BRAINS} brains, which is the maximum`)
        const id = randomUUIDv7()
        await insertBrain(tx, { id, name })
        const after = await getBrain(tx, id, null)
        await writeAudit(tx, by, { action: 'brain.create', target: id, brain_id: id, after, details: { name } })
        return after
      })
    },

    change: (by, id, { name, is_default, default_map_id }) =>
      db.inWorkspace(by.workspace_id, async tx => {
        await lockWorkspace(tx)
        const before = await getBrain(tx, id, visibleBrains(by))
        const newName = name === undefined ? before.name : checkName(name)
        const isRenamed = newName !== before.name
        const isMadeDefault = is_default === true && !before.is_default
        const isMapSet = default_map_id !== undefined && default_map_id !== before.default_map_id
        if (!isRenamed && !isMadeDefault && !isMapSet) return before
        if (isRenamed) await renameBrain(tx, id, newName)
        if (isMadeDefault) await setDefaultBrain(tx, id)
        if (isMapSet) await changeDefaultMap(tx, id, default_map_id)
        const after = await getBrain(tx, id, null)
        const details = { name: after.name, is_default: after.is_default, default_map_id: after.default_map_id }
        await writeAudit(tx, by, { action: 'brain.update', target: id, brain_id: id, before, after, details })
        return after
      }),
  }
}

async function changeDefaultMap(tx: Tx, brainId: string, mapId: string | null): Promise<void> {
  const map =
    mapId !== null && (await findResource(tx, { kind: 'stakeholder_maps', idOrSlug: mapId, brain_ids: [brainId] }))
  if (map === undefined)
    throw new ValidationError('The brain is invalid', [
      { pointer: '/default_map_id', message: 'there is no such stakeholder map in the brain or the workspace' },
    ])
  await setDefaultMap(tx, brainId, mapId)
}

async function getBrain(tx: Tx, id: string, visible: string[] | null): Promise<BrainRow> {
  const brain = isUuid(id) && visible?.includes(id.toLowerCase()) !== false ? await findBrain(tx, id) : undefined
  if (!brain) throw new NotFound('Brain')
  return brain
}
