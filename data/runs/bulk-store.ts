import type { BulkCounts, BulkOutcome } from '../../domain/runs/bulk/bulk.ts'
import type { JobStatus } from '../../domain/runs/jobs.ts'
import type { AuditAction } from '../audit/audit-store.ts'
import type { Tx } from '../shared/database.ts'
import { buildConditions, type JobsFilter } from './jobs-store.ts'
import { toStorableText } from '../../domain/shared/json/storable.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { boolean, computed, integer, list, pick, present, text, time, type Row } from '../shared/table.ts'
import { bulkItemsTable, jobsTable } from './tables.ts'

/** The runs that a request means, and the brains that its caller may write to: null means all, and the workspace itself. */
export interface BulkSelection {
  filter: JobsFilter
  writable: string[] | null
}

/** The columns of RunFacts, with `?` for the brains that the caller may write to. */
const FACTS = {
  ...pick(jobsTable, 'kind', 'status', 'pathway_version'),
  is_child: computed(boolean(), 'parent_job_id is not null'),
  is_cancelled: computed(boolean(), `coalesce(failed_code = 'CANCELLED', false)`),
  is_purged: computed(boolean(), 'purged_at is not null'),
  is_inline: computed(boolean(), `kind = 'pathway' and pathway_id is null`),
  is_retried: computed(
    boolean(),
    `exists (select from job_forks where origin_job_id = jobs.job_id and kind = 'retry')`,
  ),
  may_write: computed(boolean(), '(?::uuid[] is null or coalesce(brain_id = any(?::uuid[]), false))'),
}

/** The conditions on the runs of a filter. Bulk jobs are meant only where it asks for their kind. */
function buildMeant(filter: JobsFilter) {
  const conditions = buildConditions(filter)
  conditions.where('kind <> ?', filter.kind === undefined ? 'bulk' : undefined)
  return conditions
}

function buildSelection({ filter, writable }: BulkSelection) {
  const conditions = buildMeant(filter)
  const where = conditions.text()
  conditions.parameters.push(writable)
  const facts = list(FACTS).replaceAll('?', `$${conditions.parameters.length}`)
  return { where, facts, parameters: conditions.parameters }
}

const NOW = { now: time() }

/** The time of the transaction in ISO 8601. Rows that it inserts have the same. */
export async function readTime(tx: Tx): Promise<string> {
  return requireRow(await selectOne(tx, NOW, 'select now() as now')).now
}

const COUNTED_FACTS = { ...FACTS, count: integer() }

/** Counts the runs of a selection by what decides whether an operation applies to them. */
export async function countByFacts(tx: Tx, selection: BulkSelection): Promise<Row<typeof COUNTED_FACTS>[]> {
  const { where, facts, parameters } = buildSelection(selection)
  return select(
    tx,
    COUNTED_FACTS,
    `select found.*, count(*)::integer as count from (select ${facts} from jobs ${where}) found
      group by kind, status, is_child, is_inline, pathway_version, is_cancelled, is_purged, is_retried, may_write`,
    parameters,
  )
}

const SAMPLE = { ...pick(jobsTable, 'job_id', 'title'), ...FACTS }
export type SampledRun = Row<typeof SAMPLE>

/** Returns the first runs of a selection in the order of a bulk job: the oldest first. */
export async function sampleRuns(tx: Tx, selection: BulkSelection, limit: number): Promise<SampledRun[]> {
  const { where, facts, parameters } = buildSelection(selection)
  return select(
    tx,
    SAMPLE,
    `select job_id, title, ${facts} from jobs ${where} order by created_at, job_id limit $${parameters.length + 1}`,
    [...parameters, limit],
  )
}

/** Whether there is a visible run with one of the statuses that a filter leaves out. */
export async function leavesOutRuns(tx: Tx, filter: JobsFilter, statuses: readonly JobStatus[]): Promise<boolean> {
  const meant = buildConditions(filter)
  meant.where('kind <> ?', filter.kind === undefined ? 'bulk' : undefined)
  const { parameters } = meant
  parameters.push(statuses, filter.brain_ids ?? null)
  const n = parameters.length
  const rows = await execute(
    tx,
    `select 1 from jobs
      where kind <> 'bulk' and status = any($${n - 1}) and ($${n}::uuid[] is null or brain_id is null or brain_id = any($${n}))
        and ${meant.expression()} is not true limit 1`,
    parameters,
  )
  return rows > 0
}

const CURSOR = { created_at: computed(text(), 'created_at::text'), job_id: text() }
/** The place of a run in the order of a bulk job. */
export type BulkCursor = Row<typeof CURSOR>

/**
 * Adds the next runs of a filter to a bulk job, the oldest first. A repetition adds none twice. Returns the last one;
 * undefined when there are no more.
 */
export async function pinRuns(
  tx: Tx,
  bulkJobId: string,
  filter: JobsFilter,
  page: { after?: BulkCursor; limit: number },
): Promise<BulkCursor | undefined> {
  const conditions = buildMeant(filter)
  conditions.where('job_id <> ?', bulkJobId)
  conditions.where(
    `(created_at, job_id) > ((?::json ->> 'created_at')::timestamptz, ?::json ->> 'job_id')`,
    page.after && JSON.stringify(page.after),
  )
  const { parameters } = conditions
  const n = parameters.length
  return selectOne(
    tx,
    CURSOR,
    `with found as (
       select job_id, brain_id, created_at from jobs ${conditions.text()} order by created_at, job_id limit $${n + 1}
     ), added as (
       insert into bulk_items (job_id, run_id, run_brain_id)
       select $${n + 2}, job_id, brain_id from found order by created_at, job_id
       on conflict (job_id, run_id) do nothing
     )
     select ${list(CURSOR)} from found order by created_at desc, job_id desc limit 1`,
    [...parameters, page.limit, bulkJobId],
  )
}

/** Lists the next runs of a bulk job that have no outcome yet. */
export async function listOpenItems(tx: Tx, bulkJobId: string, limit: number): Promise<string[]> {
  const open = await select(
    tx,
    pick(bulkItemsTable, 'run_id'),
    `select run_id from bulk_items where job_id = $1 and outcome is null order by ordinal limit $2`,
    [bulkJobId, limit],
  )
  return open.map(({ run_id }) => run_id)
}

const LOCKED_ITEM = {
  /** Whether the operation began before. */
  has_begun: computed(boolean(), 'begun_at is not null'),
  ...pick(bulkItemsTable, 'outcome'),
}
/** A run of a bulk job, locked until the end of the transaction. */
export type LockedItem = Row<typeof LOCKED_ITEM>

export async function lockItem(tx: Tx, bulkJobId: string, runId: string): Promise<LockedItem | undefined> {
  return selectOne(
    tx,
    LOCKED_ITEM,
    `select ${list(LOCKED_ITEM)} from bulk_items where job_id = $1 and run_id = $2 for update`,
    [bulkJobId, runId],
  )
}

const MEANT_FACTS = { ...FACTS, is_meant: boolean() }

/** Returns the facts of a run, and whether the filter still means it. Undefined for a run that was removed. */
export async function findFacts(
  tx: Tx,
  runId: string,
  selection: BulkSelection,
): Promise<Row<typeof MEANT_FACTS> | undefined> {
  const conditions = buildConditions(selection.filter)
  const { parameters } = conditions
  parameters.push(selection.writable, runId)
  const n = parameters.length
  return selectOne(
    tx,
    MEANT_FACTS,
    `select ${list(FACTS).replaceAll('?', `$${n - 1}`)}, ${conditions.expression()} is true as is_meant
       from jobs where job_id = $${n}`,
    parameters,
  )
}

export async function markBegun(tx: Tx, bulkJobId: string, runId: string): Promise<void> {
  await execute(tx, 'update bulk_items set begun_at = now() where job_id = $1 and run_id = $2', [bulkJobId, runId])
}

/** Whether the audit log has such a command to the run since the operation began. The end of a `wait` node is none. */
export async function hasEntrySince(tx: Tx, bulkJobId: string, runId: string, action: AuditAction): Promise<boolean> {
  const rows = await execute(
    tx,
    `select 1 from bulk_items join audit_log on target = run_id and action = $3 and audit_log.at >= begun_at
      where job_id = $1 and run_id = $2 and not coalesce(details ? 'nodes', false) limit 1`,
    [bulkJobId, runId, action],
  )
  return rows > 0
}

/** Counts an attempt that a run has not answered. Returns how many there were. */
export async function noteUnanswered(tx: Tx, bulkJobId: string, runId: string): Promise<number> {
  const noted = await selectOne(
    tx,
    pick(bulkItemsTable, 'unanswered'),
    'update bulk_items set unanswered = unanswered + 1 where job_id = $1 and run_id = $2 returning unanswered',
    [bulkJobId, runId],
  )
  return noted?.unanswered ?? 0
}

/** Saves what became of a run. The first outcome stays. */
export async function saveOutcome(
  tx: Tx,
  bulkJobId: string,
  runId: string,
  { outcome, code, message }: { outcome: BulkOutcome; code?: string; message?: string },
): Promise<void> {
  await execute(
    tx,
    `update bulk_items set outcome = $3, code = $4, message = $5, at = now()
      where job_id = $1 and run_id = $2 and outcome is null`,
    [bulkJobId, runId, outcome, code ?? null, message === undefined ? null : toStorableText(message)],
  )
}

const COUNTS = {
  matched: computed(integer(), 'count(*)::integer'),
  done: computed(integer(), `count(*) filter (where outcome = 'done')::integer`),
  skipped: computed(integer(), `count(*) filter (where outcome = 'skipped')::integer`),
  failed: computed(integer(), `count(*) filter (where outcome = 'failed')::integer`),
}

export async function countItems(tx: Tx, bulkJobId: string): Promise<BulkCounts> {
  return requireRow(
    await selectOne(tx, COUNTS, `select ${list(COUNTS)} from bulk_items where job_id = $1`, [bulkJobId]),
  )
}

const PROBLEM = {
  job_id: computed(text(), 'run_id'),
  outcome: text<'skipped' | 'failed'>(),
  ...pick(bulkItemsTable, 'code'),
  message: present(bulkItemsTable.columns.message),
  at: present(bulkItemsTable.columns.at),
}
/** A run to which the operation was not applied, and why. */
export type BulkProblem = Row<typeof PROBLEM>

/** Lists the problems of a bulk job, those that failed first. `brainIds`: those whose runs the reader may see; null means all. */
export async function listProblems(
  tx: Tx,
  bulkJobId: string,
  brainIds: string[] | null,
  limit: number,
): Promise<BulkProblem[]> {
  return select(
    tx,
    PROBLEM,
    `select ${list(PROBLEM)} from bulk_items
      where job_id = $1 and outcome in ('skipped', 'failed')
        and ($2::uuid[] is null or run_brain_id is null or run_brain_id = any($2))
      order by outcome, ordinal limit $3`,
    [bulkJobId, brainIds, limit],
  )
}
