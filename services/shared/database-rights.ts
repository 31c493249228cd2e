import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { findMissingRights } from '../../data/shared/missing-rights.ts'

const RETRY_MS = 5_000

/** Logs what the role of the app lacks in the database, once Postgres answers. */
export async function reportMissingRights({ db, log }: { db: Pick<Database, 'system'>; log: Logger }): Promise<void> {
  for (;;) {
    const problems = await db.system(findMissingRights).catch(() => undefined)
    if (problems && problems.length > 0)
      log.error({ problems }, 'the database lacks rights or policies: run "node migrations/migrate.ts" as its owner')
    if (problems) return
    await sleep(RETRY_MS, undefined, { ref: false })
  }
}
