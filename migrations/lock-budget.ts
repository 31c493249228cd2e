import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { DEADLOCK, hasCode, LOCK_NOT_AVAILABLE } from './error-codes.ts'

/** While a statement waits for a lock, all later queries of the table wait too. The application waits five seconds. */
const LOCK_MS = 2_000
/** A statement can hold the lock that the application's queries wait for. */
const STATEMENT_MS = 10_000
/** The application's queries run in these pauses. */
const PAUSE_MS = 1_000

export interface LockPatience {
  /** How long to retry. */
  lockSeconds: number
  log: (message: string) => void
}

/**
 * Repeats work until it gets its locks. Each attempt waits for a lock only briefly, so that other queries don't queue
 * behind it. Throws after `lockSeconds`. The work must have no effect if it fails.
 */
export async function withLockBudget<T>(
  client: Client,
  { lockSeconds, log }: LockPatience,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + lockSeconds * 1_000
  await client.query(`set lock_timeout = ${LOCK_MS}; set statement_timeout = ${STATEMENT_MS}`)
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE, DEADLOCK)) throw error
      const holders = await listLongTransactions(client)
      const problem = `Other transactions hold a lock that the migration needs. ${holders}`
      if (Date.now() > deadline) throw new Error(`${problem} End them, then run the command again`, { cause: error })
      if (attempt === 1) log(`${problem} Retrying for ${lockSeconds} s`)
      await sleep(PAUSE_MS)
    }
  }
}

/** Removes the limits, for work that holds no lock that the application needs. */
export async function withoutLockBudget(client: Client): Promise<void> {
  await client.query('set lock_timeout = 0; set statement_timeout = 0')
}

async function listLongTransactions(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select pid, coalesce(nullif(application_name, ''), 'unnamed') as name,
            extract(epoch from clock_timestamp() - xact_start)::int as seconds
       from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and xact_start < clock_timestamp() - $1 * interval '1 ms'
      order by xact_start limit 5`,
    [LOCK_MS],
  )
  if (rows.length === 0) return 'None of them is open for longer than two seconds.'
  const list = rows.map(({ pid, name, seconds }) => `process ${pid} (${name}, ${seconds} s)`).join(', ')
  return `Longest open transactions: ${list}.`
}
