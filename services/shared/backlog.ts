import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { readBacklog } from '../../data/shared/backlog-store.ts'
import type { Backlog } from '../../domain/shared/backlog.ts'

/**
 * Reads the numbers of open and waiting items across all workspaces. Returns undefined if Postgres does not respond
 * in time.
 */
export type ReadBacklog = () => Promise<Backlog | undefined>

/** The database is queried at most once in this period. */
const MAX_AGE_MS = 5_000
/** Maximum time that other metrics wait for an unresponsive database. */
const MAX_WAIT_MS = 3_000

export function createBacklogReader(
  { db, log }: { db: Pick<Database, 'system'>; log: Logger },
  { maxAgeMs = MAX_AGE_MS } = {},
): ReadBacklog {
  let cachedBacklog: Promise<Backlog | undefined> | undefined
  /** Unix time in milliseconds. Infinity while the database is queried. */
  let readAt = 0

  async function read(): Promise<Backlog | undefined> {
    readAt = Infinity
    try {
      return await db.system(readBacklog)
    } catch (err) {
      log.warn({ err }, 'failed to read the backlog for metrics')
      return undefined
    } finally {
      readAt = Date.now()
    }
  }

  return () => {
    if (!cachedBacklog || Date.now() - readAt > maxAgeMs) cachedBacklog = read()
    return Promise.race([cachedBacklog, sleep(MAX_WAIT_MS, undefined, { ref: false })])
  }
}
