import { type AuditAuthor, writeAudit } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { markResourcePurged } from '../../../data/audit/resource-purge-store.ts'
import { deleteTrace } from '../../../data/agents/traces-store.ts'
import type { PurgeTarget } from '../../../domain/audit/purge.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'

/**
 * Deletes the target immediately, and writes the audit entry if the target was not deleted before. Runs have no
 * deleted state.
 */
export async function markDeleted(
  tx: Tx,
  author: AuditAuthor,
  target: PurgeTarget,
  brain_id: string | null,
): Promise<void> {
  if (target.type === 'job') return
  const mark = target.type === 'trace' ? deleteTrace : markResourcePurged
  if (!(await mark(tx, target.id))) return
  await writeAudit(tx, author, { action: `${nameTarget(target)}.delete`, target: target.id, brain_id })
}

export const nameTarget = ({ type }: PurgeTarget): string =>
  type === 'trace' || type === 'job' ? type : getResourceKind(type).singular
