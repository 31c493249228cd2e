import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { TraceTurn } from '../../domain/agents/run-spec.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insert, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { jobsTable } from '../runs/tables.ts'
import { neuronRunsTable, tracesTable } from './tables.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'

const TRACE = omit(tracesTable, 'workspace_id', 'deleted_at')
export type TraceRecord = Row<typeof TRACE>
export type TraceType = TraceRecord['trace_type']
/** The resource that answers messages in the thread. */
export type TraceTarget = NonNullable<TraceRecord['target']>

const JOB_ID = pick(jobsTable, 'job_id')

export interface TracesFilter {
  trace_type?: TraceType
  /** The owner of the threads. Undefined matches all owners. */
  actor?: string
  /** The visible brains. Threads without a brain are always visible. Null or undefined means all. */
  brain_ids?: string[] | null
  limit: number
  offset: number
}

const MAX_TITLE_CHARS = 200

/** Inserts a thread and allocates its first turn. Returns false, without a change, when the thread exists. */
export async function insertTrace(
  tx: Tx,
  trace: Pick<TraceRecord, 'id' | 'brain_id' | 'trace_type' | 'title' | 'actor' | 'target'>,
): Promise<boolean> {
  const title = toStorableText(trace.title.slice(0, MAX_TITLE_CHARS))
  const { id, brain_id, trace_type, actor, target } = trace
  const row = { id, brain_id, trace_type, title, actor, target, turns: 1 }
  return (await insert(tx, tracesTable, row, 'on conflict (id) do nothing')) > 0
}

/** The range to copy: the messages of a thread up to a position in one of its turns. */
interface TraceCopy extends Pick<TraceTurn, 'turn'> {
  from: string
  to: string
  /** The first message position in the turn that is not copied. */
  before: number
}

/** Copies the beginning of a thread to a new thread. Repeating the call has no effect. */
export async function copyTrace(tx: Tx, { from, to, turn, before }: TraceCopy): Promise<void> {
  await execute(
    tx,
    `insert into traces (id, brain_id, trace_type, title, actor, target, turns)
     select $2, brain_id, trace_type, title, actor, target, $3 from traces where id = $1
     on conflict (id) do nothing`,
    [from, to, turn],
  )
  await execute(
    tx,
    `insert into trace_messages (trace_id, turn, position, job_id, role, content, at)
     select $2, turn, position, job_id, role, content, at from trace_messages
      where trace_id = $1 and (turn < $3 or (turn = $3 and position < $4))
     on conflict (trace_id, turn, position) do nothing`,
    [from, to, turn, before],
  )
}

export async function findTrace(tx: Tx, id: string): Promise<TraceRecord | undefined> {
  return selectOne(tx, TRACE, `select ${list(TRACE)} from traces where id = $1 and deleted_at is null`, [id])
}

/** Returns a page of threads, most recently updated first. */
export async function listTraces(tx: Tx, filter: TracesFilter): Promise<Page<TraceRecord>> {
  const conditions = createFilter()
  conditions.where('deleted_at is null and trace_type = ?', filter.trace_type ?? 'user')
  conditions.where('actor = ?', filter.actor)
  conditions.where('(brain_id is null or brain_id = any(?))', filter.brain_ids ?? undefined)
  const { limit, offset } = filter
  const query = { columns: TRACE, from: 'traces', order: 'updated_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}

/** Marks a thread as deleted. Returns false when the thread does not exist. A purge removes the messages later. */
export async function deleteTrace(tx: Tx, id: string): Promise<boolean> {
  const count = await execute(tx, 'update traces set deleted_at = now() where id = $1 and deleted_at is null', [id])
  return count > 0
}

/**
 * Allocates and returns the next turn number of a thread. Returns undefined for an unknown thread. Each caller gets a
 * different number.
 */
export async function takeTurn(tx: Tx, traceId: string): Promise<number | undefined> {
  const queue = await selectOne(
    tx,
    pick(tracesTable, 'turns'),
    'update traces set turns = turns + 1, updated_at = now() where id = $1 and deleted_at is null returning turns',
    [traceId],
  )
  return queue?.turns
}

/** Returns the latest open run that precedes this turn in the thread. */
export async function findPreviousOpenRun(tx: Tx, { trace_id, turn }: TraceTurn): Promise<string | undefined> {
  const run = await selectOne(
    tx,
    JOB_ID,
    `select job_id from jobs
      where trace_id = $1 and turn < $2 and status not in ('completed', 'failed') order by turn desc limit 1`,
    [trace_id, turn],
  )
  return run?.job_id
}

/** Returns the earliest open run that follows this turn in the thread. */
export async function findNextOpenRun(tx: Tx, { trace_id, turn }: TraceTurn): Promise<string | undefined> {
  const run = await selectOne(
    tx,
    JOB_ID,
    `select job_id from jobs
      where trace_id = $1 and turn > $2 and status not in ('completed', 'failed') order by turn limit 1`,
    [trace_id, turn],
  )
  return run?.job_id
}

/** Saves the spec of a neuron run. Keeps an existing spec. */
export async function saveRunSpec(tx: Tx, jobId: string, spec: object): Promise<void> {
  await execute(tx, 'insert into neuron_runs (job_id, spec) values ($1, $2) on conflict (job_id) do nothing', [
    jobId,
    toStorableJson(spec),
  ])
}

export async function findRunSpec(tx: Tx, jobId: string): Promise<JsonObject | undefined> {
  const row = await selectOne(tx, pick(neuronRunsTable, 'spec'), 'select spec from neuron_runs where job_id = $1', [
    jobId,
  ])
  return row?.spec
}
