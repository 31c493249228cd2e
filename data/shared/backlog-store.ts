import type { Backlog, BacklogSize } from '../../domain/shared/backlog.ts'
import type { Tx } from './database.ts'
import { execute, select } from './statements.ts'
import { bigint, double, list, nullable, text } from './table.ts'

const LINE = {
  name: text<keyof Backlog>(),
  status: nullable(text()),
  total: bigint(),
  oldest_seconds: nullable(double()),
}

/** Maximum number of rows counted for each kind of work. */
const MAX_COUNTED = 100_000
/** If the database is slow, it is better to omit metrics than to add load. */
const MAX_STATEMENT_MS = 2_000

/** Counts open and queued work in all workspaces. Runs in a transaction that belongs to no workspace. */
export async function readBacklog(tx: Tx): Promise<Backlog> {
  const [, rows] = await Promise.all([
    execute(tx, `select set_config('statement_timeout', $1, true)`, [String(MAX_STATEMENT_MS)]),
    select(
      tx,
      LINE,
      `select ${list(LINE)} from read_backlog($1) union all select ${list(LINE)} from read_index_failures($1)`,
      [MAX_COUNTED],
    ),
  ])
  const find = (name: keyof Backlog, status: string | null = null): BacklogSize => {
    const row = rows.find(row => row.name === name && row.status === status)
    return { total: row?.total ?? 0, oldestSeconds: Math.max(0, row?.oldest_seconds ?? 0) }
  }
  return {
    runs: {
      pending: find('runs', 'pending'),
      running: find('runs', 'running'),
      waiting: find('runs', 'waiting'),
      paused: find('runs', 'paused'),
    },
    interventions: find('interventions'),
    events: find('events'),
    index_entries: find('index_entries'),
    index_failures: find('index_failures'),
    webhook_starts: find('webhook_starts'),
  }
}
