import { type AuditFilter, type AuditRecord, listAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'

/** One recorded change. */
export interface ActivityEntry {
  id: string
  at: string
  actor: string
  person: string
  /** The credential: the id of an API key, `job:<id>` for a run, `cli` for the command line. */
  credential_id: string | null
  action: string
  target: { type: string; id: string }
  brain_id: string | null
  request_id: string | null
  before_hash: string | null
  after_hash: string | null
  details: JsonObject
}

export type ActivityFilter = Omit<AuditFilter, 'brain_ids' | 'own' | 'target'> & { target_id?: string }

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
