import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { listWorkspaceIds } from '../../data/search/search-outbox-store.ts'
import type { RemoveExpired } from '../../services/audit/retention/remove-expired.ts'
import type { RetentionActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface RetentionDeps {
  db: Database
  removeExpired: RemoveExpired
  log: Logger
}

/** Maximum number of workspaces that take turns. */
const MAX_WORKSPACES = 100

/** Creates the retention activities. */
export function createRetentionActivities({ db, removeExpired, log }: RetentionDeps): RetentionActivities {
  const settings = { log, subject: 'retention' }
  return {
    listWorkspaces: withHeartbeat(settings, ({ after }) =>
      db.system(tx => listWorkspaceIds(tx, { after, limit: MAX_WORKSPACES })),
    ),
    removeExpired: withHeartbeat(settings, async ({ job, cursor }, { signal }) => {
      const batch = await removeExpired(job.workspace_id, cursor, signal)
      const counts = Object.fromEntries(Object.entries(batch.removed).filter(([, count]) => count > 0))
      if (Object.keys(counts).length > 0)
        log.info({ workspace_id: job.workspace_id, removed: counts }, 'removed expired data')
      return batch
    }),
  }
}
