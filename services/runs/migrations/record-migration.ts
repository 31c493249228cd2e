import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  deleteDropped,
  deleteSkipped,
  insertMigration,
  markMigrationUndone,
} from '../../../data/runs/job-migrations-store.ts'
import { buildBulkDetails } from '../../../domain/runs/bulk/bulk.ts'
import type { MigrationRecord } from '../../../domain/runs/run-records.ts'

/** Maximum number of nodes named in an audit entry. */
const MAX_LISTED = 1_000

/** Records a run's migration: the job's new version and the audit entry. Repeating the call has no effect. */
export async function recordMigration(db: Database, move: MigrationRecord): Promise<void> {
  const { job, by } = move
  const write = () => db.inWorkspace(job.workspace_id, tx => writeMigration(tx, move))
  await (by.via?.request_id === undefined ? write() : db.inRequest(by.via.request_id, write))
}

async function writeMigration(tx: Tx, move: MigrationRecord): Promise<void> {
  const { job, id, from_version, to_version, by, at, is_undo, unskipped = [] } = move
  const { asked_again = [], dropped = [] } = move
  const { actor, person = actor, via, bulk } = by
  if (from_version === null || to_version === null) throw new Error('a definition without a version cannot be migrated')
  const isNew = is_undo
    ? await markMigrationUndone(tx, job, { id, actor, at })
    : await insertMigration(tx, job, { id, from_version, to_version, actor, at })
  if (!isNew) return
  if (unskipped.length > 0) await deleteSkipped(tx, job.job_id, unskipped)
  if (dropped.length > 0) await deleteDropped(tx, job.job_id, dropped)
  await writeAudit(
    tx,
    { actor, person, key_id: via?.key_id ?? '' },
    {
      action: is_undo ? 'job.undo_migration' : 'job.migrate',
      target: job.job_id,
      brain_id: job.brain_id,
      details: {
        migration_id: id,
        from_version,
        to_version,
        ...(asked_again.length > 0 && { asked_again: asked_again.slice(0, MAX_LISTED) }),
        ...buildBulkDetails(bulk?.job_id, bulk?.reason),
      },
    },
  )
}
