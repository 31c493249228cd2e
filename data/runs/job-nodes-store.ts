import type { NodeMilestone, NodeStatus, Receipt } from '../../domain/runs/nodes.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { execute, select } from '../shared/statements.ts'
import { computed, list, listTypes, nullable, omit, pick, text, type Row } from '../shared/table.ts'
import { jobNodesTable } from './tables.ts'

/** The latest milestone of a node activation, with its start and end time. */
export interface NodeRecord extends NodeMilestone {
  /** The text that the node streamed. */
  transcript?: string
  started_at?: string
  finished_at?: string
  /** The latest child run that the node started. */
  child_job_id?: string
  /** For a node that a fork took over, the original run. */
  origin_job_id?: string
}

/** The milestone columns. */
export const MILESTONE = omit(jobNodesTable, 'workspace_id', 'job_id', 'origin_job_id')

const NODE = {
  ...omit(jobNodesTable, 'workspace_id', 'job_id', 'rank', 'covers'),
  child_job_id: nullable(text()),
}

/**
 * The order of milestones. An open status precedes every end status, even if its time is later. The reason is that
 * activities use the clock of their worker, whereas runs use the start of their workflow task. The run decides failures
 * and cancellations. An attempt that the run no longer waits for may report completion after such a decision. In all
 * other cases, the later time wins.
 */
const RANK: Record<NodeStatus, number> = {
  running: 0,
  waiting: 1,
  skipped: 2,
  completed: 2,
  failed: 3,
  cancelled: 3,
  compensated: 4,
}

/** The highest rank among open statuses. */
const OPEN_RANK = RANK.waiting

/** Lists the nodes of a job, ordered by start time. */
export async function listNodes(tx: Tx, jobId: string): Promise<NodeRecord[]> {
  const rows = await select(
    tx,
    NODE,
    `with children as (
       select distinct on (parent_key) parent_key as key, job_id as child_job_id
         from jobs where parent_job_id = $1 order by parent_key, created_at desc
     )
     select ${list(NODE)}
       from job_nodes left join children using (key)
      where job_id = $1 order by coalesce(started_at, at), at, key`,
    [jobId],
  )
  return rows.map(stripNulls)
}

const OPEN_NODE = pick(jobNodesTable, 'key', 'node_type', 'status', 'at', 'input', 'started_at')
/** A node that has not ended. */
export type OpenNodeRecord = Pick<NodeRecord, keyof typeof OPEN_NODE>

const MAX_OPEN_NODES = 200

/** Lists the open nodes of a job by start time, at most 200. Omits container nodes. */
export async function listOpenNodes(tx: Tx, jobId: string): Promise<OpenNodeRecord[]> {
  const rows = await select(
    tx,
    OPEN_NODE,
    `select ${list(OPEN_NODE)} from job_nodes
      where job_id = $1 and status in ('running', 'waiting') and node_type <> all($2)
      order by coalesce(started_at, at), key limit ${MAX_OPEN_NODES}`,
    [jobId, ITERATING_TYPES],
  )
  return rows.map(stripNulls)
}

const OPEN_WAIT = pick(jobNodesTable, 'job_id', 'key')
/** A `wait` node that has not ended. */
export type OpenWait = Row<typeof OPEN_WAIT>

const MAX_OPEN_WAITS = 1_000

/** Lists the open `wait` nodes in a job and its child runs, at most 1,000. */
export async function listOpenWaits(tx: Tx, jobId: string): Promise<OpenWait[]> {
  return select(
    tx,
    OPEN_WAIT,
    `with recursive tree as (
       select job_id from jobs where job_id = $1
       union all
       select jobs.job_id from tree join jobs on jobs.parent_job_id = tree.job_id
        where jobs.status not in ('completed', 'failed')
     )
     select job_id, key from tree join job_nodes using (job_id)
      where node_type = 'wait' and job_nodes.status = 'waiting' order by at, key limit ${MAX_OPEN_WAITS}`,
    [jobId],
  )
}

/**
 * Returns the statement that writes milestones. Whatever the order of the writes, the latest milestone for a key
 * wins. A stored input or output is kept.
 * @param milestones A query that returns `job_id` and the milestone columns.
 */
export const upsertNodes = (milestones: string): string => `
  insert into job_nodes as known
         (job_id, ${list(MILESTONE)})
  select job_id, ${list(MILESTONE)}
    from (${milestones}) as milestone order by job_id, key
  on conflict (job_id, key) do update set
    (status, at, rank, port, error, title) = (
      select status, at, rank, port, error, title
        from (values (excluded.status, excluded.at, excluded.rank, coalesce(excluded.port, known.port),
                      excluded.error, coalesce(excluded.title, known.title)),
                     (known.status, known.at, known.rank, coalesce(known.port, excluded.port),
                      known.error, coalesce(known.title, excluded.title)))
             as either (status, at, rank, port, error, title)
       order by greatest(rank, ${OPEN_RANK}) desc, at desc, rank desc limit 1),
    attempt = greatest(known.attempt, excluded.attempt),
    input = coalesce(excluded.input, known.input),
    output = case when (greatest(excluded.rank, ${OPEN_RANK}), excluded.at, excluded.rank)
                    >= (greatest(known.rank, ${OPEN_RANK}), known.at, known.rank)
                  then coalesce(excluded.output, known.output) else coalesce(known.output, excluded.output) end,
    labels = coalesce(excluded.labels, known.labels),
    failed_attempts = coalesce(known.failed_attempts || excluded.failed_attempts, known.failed_attempts, excluded.failed_attempts),
    covers = coalesce(excluded.covers, known.covers),
    is_given = coalesce(excluded.is_given, known.is_given),
    sent = coalesce(excluded.sent, known.sent),
    transcript = coalesce(excluded.transcript, known.transcript),
    started_at = least(known.started_at, excluded.started_at),
    finished_at = greatest(known.finished_at, excluded.finished_at)`

/** SQL condition: an ended job still accepts the milestone `given`. */
export const IS_OF_ENDED = `(given.output is not null or (given.attempt > 1 or given.failed_attempts is not null)
      and exists (select from job_nodes where job_nodes.job_id = jobs.job_id and job_nodes.key = given.key))`

const SAVE_MILESTONES = upsertNodes(`
  select jobs.job_id, given.* from jobs, json_to_recordset($2::json) as given (${listTypes(MILESTONE)})
   where jobs.job_id = $1 and ($3 or jobs.status not in ('completed', 'failed') or ${IS_OF_ENDED})`)

/**
 * Writes a job's milestones in one statement (see `upsertNodes`). Writes nothing if the job has no row. An ended job
 * still accepts outputs and attempts for its nodes, because the run may end before the worker has written them.
 * @param options `transcripts`: the streamed text by node key. `ofEnded`: also accept all other milestones for an
 * ended job.
 */
export async function saveMilestones(
  tx: Tx,
  jobId: string,
  milestones: NodeMilestone[],
  { transcripts = {}, ofEnded = false }: { transcripts?: Record<string, string>; ofEnded?: boolean } = {},
): Promise<void> {
  if (milestones.length === 0) return
  await execute(tx, SAVE_MILESTONES, [jobId, toStorableJson(mergeMilestones(milestones, transcripts)), ofEnded])
}

/** Writes the text that an open node has streamed so far. The node's start milestone may not be written yet. */
export async function saveTranscript(
  tx: Tx,
  jobId: string,
  { key, id: node_id, type: node_type }: { key: string; id: string; type: string },
  { text, attempt }: { text: string; attempt: number },
): Promise<void> {
  const milestone: NodeMilestone = { key, node_id, node_type, status: 'running', at: new Date().toISOString(), attempt }
  await saveMilestones(tx, jobId, [milestone], { transcripts: { [key]: text }, ofEnded: true })
}

/** Node types that wait for people, time or events. They have no side effects outside the run. */
const WAITING_TYPES = ['human', 'wait']
/** Node types whose only purpose is to contain other nodes. */
const ITERATING_TYPES = ['map', 'loop']

const CANCELLED_NODE = {
  ...pick(jobNodesTable, 'node_id', 'key'),
  outcome: computed(text<'stopped' | 'in_doubt'>(), `case when node_type = any($4) then 'stopped' else 'in_doubt' end`),
}

/** Cancels all open nodes of a job. Returns the receipt, which omits container nodes. */
export async function cancelOpenNodes(tx: Tx, jobId: string, at: string): Promise<Receipt> {
  return select(
    tx,
    CANCELLED_NODE,
    `with open as (
       select key, coalesce(started_at, at) as began from job_nodes
        where job_id = $1 and status in ('running', 'waiting') for update
     ), cancelled as (
       update job_nodes set status = 'cancelled', rank = $3, at = greatest(at, $2), finished_at = greatest(at, $2)
         from open where job_id = $1 and job_nodes.key = open.key
    returning node_id, job_nodes.key, node_type, began
     )
     select ${list(CANCELLED_NODE)}
       from cancelled where node_type <> all($5) order by began, key`,
    [jobId, at, RANK.cancelled, WAITING_TYPES, ITERATING_TYPES],
  )
}

/** Merges milestones into one row per key. The result is the same as that of writing them one by one. */
export function mergeMilestones(milestones: NodeMilestone[], transcripts: Record<string, string> = {}) {
  const rows = new Map<string, NodeRecord & { rank: number }>()
  for (const milestone of milestones) {
    const rank = RANK[milestone.status]
    const started_at = rank <= OPEN_RANK ? milestone.at : undefined
    const finished_at = rank >= RANK.completed ? milestone.at : undefined
    const row = { ...milestone, rank, started_at, finished_at, transcript: transcripts[milestone.key] }
    const record = rows.get(milestone.key)
    if (!record) {
      rows.set(milestone.key, row)
      continue
    }
    const [last, before] = isLater(row, record) ? [row, record] : [record, row]
    rows.set(milestone.key, {
      ...last,
      title: last.title ?? before.title,
      attempt: greatest(last.attempt, before.attempt),
      port: last.port ?? before.port,
      input: last.input ?? before.input,
      output: last.output ?? before.output,
      labels: last.labels ?? before.labels,
      covers: last.covers ?? before.covers,
      is_given: last.is_given ?? before.is_given,
      sent: last.sent ?? before.sent,
      failed_attempts: joinAttempts(before.failed_attempts, last.failed_attempts),
      started_at: earliest(record.started_at, started_at),
      finished_at: latest(record.finished_at, finished_at),
    })
  }
  return [...rows.values()]
}

const joinAttempts = (before: NodeRecord['failed_attempts'], last: NodeRecord['failed_attempts']) =>
  before && last ? { ...before, ...last } : (last ?? before)

function isLater(a: { at: string; rank: number }, b: { at: string; rank: number }): boolean {
  const difference = Math.max(a.rank, OPEN_RANK) - Math.max(b.rank, OPEN_RANK)
  if (difference !== 0) return difference > 0
  return Date.parse(a.at) === Date.parse(b.at) ? a.rank >= b.rank : Date.parse(a.at) > Date.parse(b.at)
}

const greatest = (a?: number, b?: number) => (a === undefined || b === undefined ? (a ?? b) : Math.max(a, b))
const earliest = (a?: string, b?: string) => (a && b ? (Date.parse(a) <= Date.parse(b) ? a : b) : (a ?? b))
const latest = (a?: string, b?: string) => (a && b ? (Date.parse(a) >= Date.parse(b) ? a : b) : (a ?? b))

type NonNull<R> = { [Name in keyof R as null extends R[Name] ? never : Name]: R[Name] } & {
  [Name in keyof R as null extends R[Name] ? Name : never]?: Exclude<R[Name], null>
}

const stripNulls = <R extends object>(row: R): NonNull<R> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as NonNull<R>
