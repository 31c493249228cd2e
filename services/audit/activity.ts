import { type AuditRecord, listAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import type { ActivityFilter, ActivityEntry } from '../../contract/audit/activity.ts'

export interface ActivityService {
  /** Returns a page of the recorded changes, newest first. */
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

/** Of the workspace itself (keys, members, brains), a credential that is bound to brains sees only what it did. */
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
