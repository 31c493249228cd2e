import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { readBacklog } from '../../data/shared/backlog-store.ts'
import type { Backlog } from '../../domain/shared/backlog.ts'

/** Reads what is open or waits in all workspaces. Undefined while Postgres does not answer in time. */
export type ReadBacklog = () => Promise<Backlog | undefined>

/** However often it is asked, the database is asked once in this time. */
const MAX_AGE_MS = 5_000
/** The other metrics do not wait longer for a database that is silent. */
const MAX_WAIT_MS = 3_000

export function createBacklogReader(
  { db, log }: { db: Pick<Database, 'system'>; log: Logger },
  { maxAgeMs = MAX_AGE_MS } = {},
): ReadBacklog {
  let cachedBacklog: Promise<Backlog | undefined> | undefined
  /** Milliseconds of Unix time. Infinity while the database is being asked. */
  let readAt = 0

  async function read(): Promise<Backlog | undefined> {
    readAt = Infinity
    try {
      return await db.system(readBacklog)
    } catch (err) {
      log.warn({ err }, 'the backlog could not be read for the metrics')
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
