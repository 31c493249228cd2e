import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { findMissingRights } from '../../data/shared/missing-rights.ts'

const RETRY_MS = 5_000

/** Logs the database rights that the app's role is missing, once Postgres responds. */
export async function reportMissingRights({ db, log }: { db: Pick<Database, 'system'>; log: Logger }): Promise<void> {
  for (;;) {
    const problems = await db.system(findMissingRights).catch(() => undefined)
    if (problems && problems.length > 0)
      log.error(
        { problems },
        'missing database rights or policies: run "node migrations/migrate.ts" as the database owner',
      )
    if (problems) return
    await sleep(RETRY_MS, undefined, { ref: false })
  }
}
