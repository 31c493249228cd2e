import type { RecordedNode } from '../../domain/pathways/fork/types.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { computed, json, list, listTypes, nullable, omit, pick, present, text, type Row } from '../shared/table.ts'
import { jobForksTable, jobNodesTable, jobsTable } from './tables.ts'

const FORK = omit(jobForksTable, 'workspace_id')
/** A run that continues from a node of another run. */
export type ForkRecord = Row<typeof FORK>
export type ForkKind = ForkRecord['kind']
export type ForkDecisions = ForkRecord['decisions']
export type ForkChanges = ForkRecord['changes']

/** Inserts the fork record of a job. Repeating the call has no effect. */
export async function insertFork(tx: Tx, fork: Omit<ForkRecord, 'created_at'>): Promise<void> {
  const reason = fork.reason === null ? null : toStorableText(fork.reason)
  await insert(tx, jobForksTable, { ...fork, reason }, 'on conflict (job_id) do nothing')
}

/** Locks a job until the transaction ends. Returns whether another run is a retry of this job. */
export async function lockRetried(tx: Tx, jobId: string): Promise<boolean> {
  await execute(tx, 'select from jobs where job_id = $1 for no key update', [jobId])
  const rows = await execute(tx, `select 1 from job_forks where origin_job_id = $1 and kind = 'retry' limit 1`, [jobId])
  return rows > 0
}

/** Returns the fork record of a job, or undefined if the job is not a fork. */
export async function findFork(tx: Tx, jobId: string): Promise<ForkRecord | undefined> {
  return selectOne(tx, FORK, `select ${list(FORK)} from job_forks where job_id = $1`, [jobId])
}

const MAX_FORKS = 100

/** Lists the forks of a job, oldest first, at most 100. */
export async function listForks(tx: Tx, originId: string): Promise<ForkRecord[]> {
  return select(
    tx,
    FORK,
    `select ${list(FORK)} from job_forks where origin_job_id = $1 order by created_at, job_id limit ${MAX_FORKS}`,
    [originId],
  )
}

const RECORDED = {
  ...pick(jobNodesTable, 'key', 'node_id', 'node_type', 'status', 'port', 'labels', 'error', 'covers', 'is_given'),
  /** Read as text, to distinguish an output that is JSON null from a missing output. */
  output: computed(nullable(text()), 'output::text'),
}

/** Lists the nodes of a job with their full outcomes, in the order in which they ended. */
export async function listRecordedNodes(tx: Tx, jobId: string): Promise<RecordedNode[]> {
  const rows = await select(
    tx,
    RECORDED,
    `select ${list(RECORDED)} from job_nodes where job_id = $1 order by coalesce(finished_at, at), rank, key`,
    [jobId],
  )
  return rows.map(readRecordedNode)
}

const readRecordedNode = ({
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
}: Row<typeof RECORDED>): RecordedNode => ({
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

const DECISION_USE = {
  ...pick(jobForksTable, 'job_id'),
  fork: computed(
    nullable(json<Pick<ForkRecord, 'kind' | 'actor' | 'reason' | 'created_at'>>()),
    `case when origin_job_id is not null and job_id <> $1
          then json_build_object('kind', kind, 'actor', actor, 'reason', reason, 'created_at', created_at) end`,
  ),
  /** Effects that happened after the decision and that the fork repeats. */
  repeated: computed(json<ForkDecisions['repeated']>(), `coalesce(decisions -> 'repeated', '[]')`),
}
/** A run in which a decision applies. `fork` is null for the run in which people made the decision. */
export type DecisionUse = Row<typeof DECISION_USE>

/** Lists the run in which a decision was made, and the forks in which the decision still applies, at most 100. */
export async function listDecisionUses(
  tx: Tx,
  { job_id, node_key, opened_at }: { job_id: string; node_key: string; opened_at: string },
  until?: string,
): Promise<DecisionUse[]> {
  return select(
    tx,
    DECISION_USE,
    `with recursive uses as (
       select $1::text as job_id
       union
       select job_forks.job_id from uses join job_forks on origin_job_id = uses.job_id
        where decisions::jsonb -> 'kept' ? $2
          and (origin_job_id <> $1 or created_at >= $3 and ($4::timestamptz is null or created_at < $4))
     )
     select ${list(DECISION_USE)}
       from uses left join job_forks using (job_id)
      where job_id <> $1 or $4::timestamptz is null order by created_at nulls first, job_id limit ${MAX_FORKS}`,
    [job_id, node_key, opened_at, until ?? null],
  )
}

const SENT_CALL = {
  job_id: computed(jobsTable.columns.job_id, 'jobs.job_id'),
  ...pick(jobsTable, 'root_job_id'),
  ...pick(jobNodesTable, 'key', 'node_type'),
  status: computed(jobNodesTable.columns.status, 'job_nodes.status'),
  sent: present(jobNodesTable.columns.sent),
}
/** A request that a node sent, in a run or its child runs. */
export type SentByNode = Row<typeof SENT_CALL>

const MAX_SENT = 500

/**
 * Lists the requests that nodes in these runs and their child runs have sent since the given time (ISO 8601), at most
 * 500.
 */
export async function listSentSince(tx: Tx, rootIds: string[], since: string): Promise<SentByNode[]> {
  return select(
    tx,
    SENT_CALL,
    `select ${list(SENT_CALL)} from jobs join job_nodes using (job_id)
      where root_job_id = any($1) and sent is not null and job_nodes.origin_job_id is null
        and (sent ->> 'at')::timestamptz >= $2
      order by sent ->> 'at', key limit ${MAX_SENT}`,
    [rootIds, since],
  )
}

const CHILD_RESULT = { parent_key: present(jobsTable.columns.parent_key), ...pick(jobsTable, 'kind', 'result') }
/** The result and the kind of a child run. */
export type ChildResult = Row<typeof CHILD_RESULT>

/** Returns the result of the latest completed child run for each of these nodes. */
export async function listChildResults(tx: Tx, jobId: string, keys: string[]): Promise<ChildResult[]> {
  return select(
    tx,
    CHILD_RESULT,
    `select distinct on (parent_key) ${list(CHILD_RESULT)} from jobs
      where parent_job_id = $1 and parent_key = any($2) and status = 'completed' and purged_at is null
      order by parent_key, created_at desc`,
    [jobId, keys],
  )
}

const GIVEN = pick(jobNodesTable, 'key', 'output')

/**
 * Copies ended nodes from a run to its fork. The caller passes outputs that are missing from the rows of the run, by
 * node key.
 */
export async function copyNodes(
  tx: Tx,
  { job_id, origin_job_id }: Pick<ForkRecord, 'job_id' | 'origin_job_id'>,
  keys: string[],
  outputs: Record<string, JsonValue>,
): Promise<void> {
  const outputRows = Object.entries(outputs).map(([key, output]) => ({ key, output }))
  const copied = list(omit(jobNodesTable, 'workspace_id', 'job_id', 'output', 'origin_job_id'))
  await execute(
    tx,
    `insert into job_nodes (job_id, output, origin_job_id, ${copied})
     select $1, coalesce(job_nodes.output, given.output), coalesce(origin_job_id, job_id), ${copied}
       from job_nodes left join json_to_recordset($4::json) as given (${listTypes(GIVEN)}) using (key)
      where job_id = $2 and key = any($3)
     on conflict (job_id, key) do nothing`,
    [job_id, origin_job_id, keys, toStorableJson(outputRows)],
  )
}
