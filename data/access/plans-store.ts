import type { Tx } from '../shared/database.ts'
import { execute, requireRow, selectOne, update } from '../shared/statements.ts'
import { bigint, computed, list, numeric, pick, type Row } from '../shared/table.ts'
import { workspacesTable } from './tables.ts'

const PLAN = pick(workspacesTable, 'plan', 'trial_ends_at')
/** The stored plan of a workspace. */
export type StoredPlan = Row<typeof PLAN>

const WORKSPACE = `current_setting('app.workspace_id')`
const SPENT = `coalesce((select usd from monthly_spend
                          where month = date_trunc('month', now() at time zone 'utc')::date), 0)`

const USD = { usd: computed(numeric(), SPENT) }
const HELD = {
  spent_usd: computed(numeric(), SPENT),
  /** USD that open runs have reserved but not yet used. */
  reserved_usd: computed(numeric(), `coalesce(sum(greatest(reserved_usd - (usage->>'usd')::numeric, 0)), 0)`),
  /** Number of pending and running runs. */
  runs_in_flight: computed(bigint(), `count(*) filter (where status in ('pending', 'running'))`),
  /** Number of pending and running runs that the credential started. */
  runs_of_credential: computed(
    bigint(),
    `count(*) filter (where status in ('pending', 'running') and credential = $1)`,
  ),
  /** Number of open bulk jobs. */
  bulk_jobs: computed(bigint(), `count(*) filter (where kind = 'bulk')`),
}
/** `committed_usd` is the sum of spent and reserved USD. */
const COMMITMENTS = { ...HELD, committed_usd: numeric() }
/** USD spent in the current month (UTC), and USD reserved by root runs. */
export type Commitments = Row<typeof COMMITMENTS>

/** Returns the plan of the transaction's workspace. */
export async function findPlan(tx: Tx): Promise<StoredPlan> {
  const plan = await selectOne(tx, PLAN, `select ${list(PLAN)} from workspaces where id = ${WORKSPACE}::uuid`)
  return plan ?? { plan: null, trial_ends_at: null }
}

/** Saves the plan of the transaction's workspace. */
export async function savePlan(tx: Tx, { plan, trial_ends_at }: StoredPlan): Promise<void> {
  await update(tx, workspacesTable, { plan, trial_ends_at }, `id = ${WORKSPACE}::uuid`, [])
}

/** Returns the USD that the workspace has spent in the current month (UTC). */
export async function readSpent(tx: Tx): Promise<number> {
  return requireRow(await selectOne(tx, USD, `select ${list(USD)}`)).usd
}

/** Serializes the start of runs in the workspace until the transaction ends. */
export async function lockRunStarts(tx: Tx): Promise<void> {
  await execute(tx, `select pg_advisory_xact_lock(hashtextextended('run starts ' || ${WORKSPACE}, 0))`)
}

/**
 * Reads spend and reservations in one statement. An amount that moves from reserved to spent is therefore counted
 * only once.
 */
export async function readCommitments(tx: Tx, credential: string): Promise<Commitments> {
  const row = await selectOne(
    tx,
    COMMITMENTS,
    `select held.*, spent_usd + reserved_usd as committed_usd
       from (select ${list(HELD)}
               from jobs where parent_job_id is null and status not in ('completed', 'failed')) held`,
    [credential],
  )
  return requireRow(row)
}
