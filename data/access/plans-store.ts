import type { Tx } from '../shared/database.ts'

/** The plan of a workspace as it is stored. */
export interface StoredPlan {
  /** Null: the default plan. */
  plan: string | null
  /** ISO 8601. Null without a trial. */
  trial_ends_at: string | null
}

/** What a workspace has spent in the current month (UTC), and what its root runs hold. */
export interface Commitments {
  spent_usd: number
  /** What the runs that have not ended have reserved beyond what they have used. */
  reserved_usd: number
  /** The sum of both. */
  committed_usd: number
  /** Runs that are pending or running. */
  runs_in_flight: number
  /** Those of them that the credential started. */
  runs_of_credential: number
  /** Bulk jobs that have not ended. */
  bulk_jobs: number
}

const WORKSPACE = `current_setting('app.workspace_id')`
const SPENT = `coalesce((select usd from monthly_spend
                          where month = date_trunc('month', now() at time zone 'utc')::date), 0)`

/** Returns the plan of the transaction's workspace. */
export async function findPlan(tx: Tx): Promise<StoredPlan> {
  const [found] = await tx.query<StoredPlan[]>(
    `select plan, trial_ends_at from workspaces where id = ${WORKSPACE}::uuid`,
  )
  return found ?? { plan: null, trial_ends_at: null }
}

/** Saves the plan of the transaction's workspace. */
export async function savePlan(tx: Tx, { plan, trial_ends_at }: StoredPlan): Promise<void> {
  await tx.query(`update workspaces set plan = $1, trial_ends_at = $2 where id = ${WORKSPACE}::uuid`, [
    plan,
    trial_ends_at,
  ])
}

/** Returns the USD that the workspace has spent in the current month (UTC). */
export async function readSpent(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ usd: number }[]>(`select ${SPENT} as usd`)
  return row?.usd ?? 0
}

/** Lets one transaction of the workspace at a time start runs, until it ends. */
export async function lockRunStarts(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('run starts ' || ${WORKSPACE}, 0))`)
}

/** Reads the spend and the reservations in one statement, so that usage which moves from one to the other counts once. */
export async function readCommitments(tx: Tx, credential: string): Promise<Commitments> {
  const [row] = await tx.query<Commitments[]>(
    `select *, spent_usd + reserved_usd as committed_usd
       from (select ${SPENT} as spent_usd,
                    coalesce(sum(greatest(reserved_usd - (usage->>'usd')::numeric, 0)), 0) as reserved_usd,
                    count(*) filter (where status in ('pending', 'running')) as runs_in_flight,
                    count(*) filter (where status in ('pending', 'running') and credential = $1) as runs_of_credential,
                    count(*) filter (where kind = 'bulk') as bulk_jobs
               from jobs where parent_job_id is null and status not in ('completed', 'failed')) held`,
    [credential],
  )
  if (!row) throw new Error('a sum has a row')
  return row
}
