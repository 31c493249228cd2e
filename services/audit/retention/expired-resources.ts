import { RETENTION, writeAudit } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { type ExpiredResource, findExpiredResources } from '../../../data/audit/retention-store.ts'
import type { ExpiryCounts } from '../../../domain/audit/retention.ts'
import { nameTarget } from '../purges/mark-deleted.ts'
import { purgeResources, type ResourceRemovalDeps } from '../purges/purge-resources.ts'

const MAX_RESOURCES = 25

/** Removes the content of resources that were deleted before the cutoff, as a purge does. Their heads follow later. */
export async function removeExpiredResources(
  deps: ResourceRemovalDeps,
  workspaceId: string,
  cutoff: string,
): Promise<Partial<ExpiryCounts>> {
  const expiredResources = await deps.db.inWorkspace(workspaceId, tx => findExpiredResources(tx, cutoff, MAX_RESOURCES))
  if (expiredResources.length === 0) return {}
  const ids = expiredResources.map(({ id }) => id)
  const counts = await purgeResources(deps, workspaceId, ids, tx => auditAll(tx, expiredResources))
  return { resources: counts.resources ?? 0, contents: counts.contents ?? 0 }
}

async function auditAll(tx: Tx, expiredResources: ExpiredResource[]): Promise<void> {
  for (const { id, kind, brain_id } of expiredResources) {
    const action = `${nameTarget({ type: kind, id })}.expire` as const
    await writeAudit(tx, RETENTION, { action, target: id, brain_id })
  }
}
