import type { AskedAgain, RecordedNode, RepeatedEffect } from '../../domain/pathways/fork/types.ts'
import type { SentRequest } from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'

export type ForkKind = 'fork' | 'retry' | 'reopen'

/** A run that goes on from a node of another run. Times are ISO 8601. */
export interface ForkRecord {
  job_id: string
  origin_job_id: string
  kind: ForkKind
  /** Null for a retry of all that was not completed. */
  from_key: string | null
  actor: string
  reason: string | null
  /** What differs from the run: `input`, `pathway_version`, and the keys of nodes whose output was replaced. */
  changes: ForkChanges
  decisions: ForkDecisions
  created_at: string
}

/** What a fork does with the decisions of its run. */
export interface ForkDecisions {
  asked_again: AskedAgain[]
  /** Keys of the nodes whose decision holds in the fork. */
  kept: string[]
  /** Effects that happen a second time after a decision that holds. */
  repeated: RepeatedEffect[]
}

export interface ForkChanges {
  input: boolean
  pathway_version: boolean
  outputs: string[]
}

const COLUMNS = 'job_id, origin_job_id, kind, from_key, actor, reason, changes, decisions, created_at'

/** Inserts a fork beside its job. A repetition changes nothing. */
export async function insertFork(tx: Tx, fork: Omit<ForkRecord, 'created_at'>): Promise<void> {
  await tx.query(
    `insert into job_forks (job_id, origin_job_id, kind, from_key, actor, reason, changes, decisions)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (job_id) do nothing`,
    [
      fork.job_id,
      fork.origin_job_id,
      fork.kind,
      fork.from_key,
      fork.actor,
      fork.reason === null ? null : toStorableText(fork.reason),
      toStorableJson(fork.changes),
      toStorableJson(fork.decisions),
    ],
  )
}

/** Locks a job until the end of the transaction, and returns whether another run was started as its retry. */
export async function lockRetried(tx: Tx, jobId: string): Promise<boolean> {
  await tx.query('select from jobs where job_id = $1 for no key update', [jobId])
  const found = await tx.query<unknown[]>(
    `select 1 from job_forks where origin_job_id = $1 and kind = 'retry' limit 1`,
    [jobId],
  )
  return found.length > 0
}

/** Returns the fork that a job is. Undefined for other jobs. */
export async function findFork(tx: Tx, jobId: string): Promise<ForkRecord | undefined> {
  const [found] = await tx.query<ForkRecord[]>(`select ${COLUMNS} from job_forks where job_id = $1`, [jobId])
  return found
}

const MAX_FORKS = 100

/** Lists the forks of a job, oldest first, at most 100. */
export async function listForks(tx: Tx, originId: string): Promise<ForkRecord[]> {
  return tx.query<ForkRecord[]>(
    `select ${COLUMNS} from job_forks where origin_job_id = $1 order by created_at, job_id limit ${MAX_FORKS}`,
    [originId],
  )
}

interface RecordedRow {
  key: string
  node_id: string
  node_type: string
  status: RecordedNode['status']
  port: string | null
  /** As text: JSON null is an output, a missing one is not. */
  output: string | null
  labels: RecordedNode['labels'] | null
  error: RecordedNode['error'] | null
  covers: RecordedNode['covers'] | null
  is_given: true | null
}

/** Lists the nodes of a job with their full outcomes, in the order of their end. */
export async function listRecordedNodes(tx: Tx, jobId: string): Promise<RecordedNode[]> {
  const rows = await tx.query<RecordedRow[]>(
    `select key, node_id, node_type, status, port, output::text as output, labels, error, covers, is_given
       from job_nodes where job_id = $1 order by coalesce(finished_at, at), rank, key`,
    [jobId],
  )
  return rows.map(toRecorded)
}

const toRecorded = ({
  key,
  node_id,
  node_type,
  status,
  port,
  output,
  labels,
  error,
  covers,
  is_given,
}: RecordedRow): RecordedNode => ({
  key,
  node_id,
  node_type,
  status,
  ...(port !== null && { port }),
  ...(labels !== null && { labels }),
  ...(error !== null && { error }),
  ...(covers !== null && { covers }),
  ...(is_given !== null && { is_given }),
  ...(output !== null && { output: JSON.parse(output) as JsonValue }),
})

/** A run in which a decision holds. Of the run that asked for it, there is no fork. */
export interface DecisionUse {
  job_id: string
  fork: Pick<ForkRecord, 'kind' | 'actor' | 'reason' | 'created_at'> | null
  /** Effects that the fork repeats after the decision. */
  repeated: RepeatedEffect[]
}

/** Lists the run that a decision was taken in and its forks in which the decision holds, at most 100. */
export async function listDecisionUses(
  tx: Tx,
  { job_id, node_key, opened_at }: { job_id: string; node_key: string; opened_at: string },
  until?: string,
): Promise<DecisionUse[]> {
  return tx.query<DecisionUse[]>(
    `with recursive uses as (
       select $1::text as job_id
       union
       select job_forks.job_id from uses join job_forks on origin_job_id = uses.job_id
        where decisions::jsonb -> 'kept' ? $2
          and (origin_job_id <> $1 or created_at >= $3 and ($4::timestamptz is null or created_at < $4))
     )
     select job_id, coalesce(decisions -> 'repeated', '[]') as repeated,
            case when origin_job_id is not null and job_id <> $1
                 then json_build_object('kind', kind, 'actor', actor, 'reason', reason, 'created_at', created_at) end as fork
       from uses left join job_forks using (job_id)
      where job_id <> $1 or $4::timestamptz is null order by created_at nulls first, job_id limit ${MAX_FORKS}`,
    [job_id, node_key, opened_at, until ?? null],
  )
}

/** A request that a node of a run or of its child runs has sent. */
export interface SentByNode {
  job_id: string
  root_job_id: string
  key: string
  node_type: string
  status: RecordedNode['status']
  sent: SentRequest
}

const MAX_SENT = 500

/** Lists what nodes of these runs and their child runs have sent since a time (ISO 8601), at most 500. */
export async function listSentSince(tx: Tx, rootIds: string[], since: string): Promise<SentByNode[]> {
  return tx.query<SentByNode[]>(
    `select jobs.job_id, root_job_id, key, node_type, job_nodes.status, sent from jobs join job_nodes using (job_id)
      where root_job_id = any($1) and sent is not null and job_nodes.origin_job_id is null
        and (sent ->> 'at')::timestamptz >= $2
      order by sent ->> 'at', key limit ${MAX_SENT}`,
    [rootIds, since],
  )
}

/** The result of a child run, and its kind. */
export interface ChildResult {
  parent_key: string
  kind: string
  result: JsonValue
}

/** Returns the results of the last completed child runs of these nodes. */
export async function listChildResults(tx: Tx, jobId: string, keys: string[]): Promise<ChildResult[]> {
  return tx.query<ChildResult[]>(
    `select distinct on (parent_key) parent_key, kind, result from jobs
      where parent_job_id = $1 and parent_key = any($2) and status = 'completed' and purged_at is null
      order by parent_key, created_at desc`,
    [jobId, keys],
  )
}

/** Copies ended nodes of a run to its fork. Outputs that the rows of the run lack are given by key. */
export async function copyNodes(
  tx: Tx,
  { job_id, origin_job_id }: Pick<ForkRecord, 'job_id' | 'origin_job_id'>,
  keys: string[],
  outputs: Record<string, JsonValue>,
): Promise<void> {
  const given = Object.entries(outputs).map(([key, output]) => ({ key, output }))
  await tx.query(
    `insert into job_nodes (job_id, key, node_id, node_type, title, status, at, rank, attempt, port, input, output, labels, error,
                            failed_attempts, covers, is_given, sent, transcript, started_at, finished_at, origin_job_id)
     select $1, key, node_id, node_type, title, status, at, rank, attempt, port, input,
            coalesce(job_nodes.output, given.output), labels, error, failed_attempts, covers, is_given, sent, transcript, started_at, finished_at,
            coalesce(origin_job_id, job_id)
       from job_nodes left join json_to_recordset($4::json) as given (key text, output json) using (key)
      where job_id = $2 and key = any($3)
     on conflict (job_id, key) do nothing`,
    [job_id, origin_job_id, keys, toStorableJson(given)],
  )
}
