import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { findMissingRights } from '../../data/shared/missing-rights.ts'
import { readSchemaState } from './schema.ts'

const RETRY_MS = 5_000

interface DatabaseCheck {
  db: Pick<Database, 'system'>
  log: Logger
}

/** Logs how the database differs from this version, and the missing database rights, once Postgres responds. */
export async function reportDatabaseProblems({ db, log }: DatabaseCheck): Promise<void> {
  for (;;) {
    const report = await readProblems(db).catch(() => undefined)
    if (report) {
      const { pending, newer, problems } = report
      if (pending.length > 0) log.error({ pending }, 'missing migrations: run "ganglion-admin migrate"')
      if (newer.length > 0) log.warn({ newer }, 'the database has migrations of a newer version')
      if (problems.length > 0)
        log.error(
          { problems },
          'missing database rights or policies: run "ganglion-admin migrate" as the database owner',
        )
      return
    }
    await sleep(RETRY_MS, undefined, { ref: false })
  }
}

async function readProblems(db: DatabaseCheck['db']) {
  return { ...(await readSchemaState(db)), problems: await db.system(findMissingRights) }
}
