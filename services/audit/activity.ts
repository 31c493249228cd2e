import { type AuditRecord, listAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ActivityFilter, ActivityEntry } from '../../contract/audit/activity.ts'
import { visibleBrains } from '../access/brains.ts'

export interface ActivityService {
  /** Returns a page of recorded changes, newest first. */
  list(principal: Principal, filter: ActivityFilter): Promise<{ data: ActivityEntry[]; total: number }>
}

export function createActivity({ db }: { db: Database }): ActivityService {
  return {
    async list(principal, { target_id, ...filter }) {
      const scope = { brain_ids: visibleBrains(principal), own: findOwn(principal), target: target_id }
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx => listAudit(tx, { ...filter, ...scope }))
      return { data: rows.map(presentEntry), total }
    },
  }
}

/**
 * For workspace-level entries (keys, members, brains), a brain-bound credential sees only the entries for its own
 * actions.
 */
const findOwn = ({ brain_ids, actor }: Principal): string | undefined => (brain_ids === null ? undefined : actor)

function presentEntry({ id, key_id, person, target_type, target, ...entry }: AuditRecord): ActivityEntry {
  return {
    ...entry,
    id: String(id),
    person: person ?? entry.actor,
    credential_id: key_id,
    target: { type: target_type, id: target },
  }
}
