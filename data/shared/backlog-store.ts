import type { Backlog, BacklogSize } from '../../domain/shared/backlog.ts'
import type { Tx } from './database.ts'

interface Row {
  name: keyof Backlog
  status: string | null
  total: number
  oldest_seconds: number | null
}

/** Rows of one kind that are counted. */
const MAX_COUNTED = 100_000
/** Metrics rather go without than load a database that is slow. */
const MAX_STATEMENT_MS = 2_000

/** Counts what is open or waits in all workspaces, in a transaction without a workspace. */
export async function readBacklog(tx: Tx): Promise<Backlog> {
  const [, rows] = await Promise.all([
    tx.query(`select set_config('statement_timeout', $1, true)`, [String(MAX_STATEMENT_MS)]),
    tx.query<Row[]>(
      `select name, status, total, oldest_seconds from read_backlog($1)
       union all select name, status, total, oldest_seconds from read_index_failures($1)`,
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
