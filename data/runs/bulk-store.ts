import type { BulkCounts, BulkOutcome } from '../../domain/runs/bulk/bulk.ts'
import type { JobStatus } from '../../domain/runs/jobs.ts'
import type { AuditAction } from '../audit/audit-store.ts'
import type { Tx } from '../shared/database.ts'
import { buildConditions, type JobsFilter } from './jobs-store.ts'
import { toStorableText } from '../../domain/shared/json/storable.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { boolean, computed, integer, list, pick, present, text, time, type Row } from '../shared/table.ts'
import { bulkItemsTable, jobsTable } from './tables.ts'

/**
 * The runs that a request selects, and the brains that the caller may write to. Null brains mean all brains and the
 * workspace itself.
 */
export interface BulkSelection {
  filter: JobsFilter
  writable: string[] | null
}

/** The columns of RunFacts. `?` stands for the brains that the caller may write to. */
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

/** Builds the conditions for the runs that match a filter. Bulk jobs match only when the filter selects their kind. */
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

/** Returns the transaction time in ISO 8601. Rows inserted in this transaction get the same time. */
export async function readTime(tx: Tx): Promise<string> {
  return requireRow(await selectOne(tx, NOW, 'select now() as now')).now
}

const COUNTED_FACTS = { ...FACTS, count: integer() }

/** Counts the selected runs, grouped by the facts that determine whether an operation applies. */
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

/** Returns up to `limit` selected runs, oldest first, as a bulk job processes them. */
export async function sampleRuns(tx: Tx, selection: BulkSelection, limit: number): Promise<SampledRun[]> {
  const { where, facts, parameters } = buildSelection(selection)
  return select(
    tx,
    SAMPLE,
    `select job_id, title, ${facts} from jobs ${where} order by created_at, job_id limit $${parameters.length + 1}`,
    [...parameters, limit],
  )
}

/** Whether the filter excludes any visible run with one of these statuses. */
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
/** The position of a run in the processing order of a bulk job. */
export type BulkCursor = Row<typeof CURSOR>

/**
 * Adds the next runs that match a filter to a bulk job, oldest first. Repeating the call adds no duplicates. Returns
 * the last added run, or undefined when no runs are left.
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

/** Lists up to `limit` runs in a bulk job that have no outcome yet, in processing order. */
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
  /** Whether an earlier attempt has already started the operation. */
  has_begun: computed(boolean(), 'begun_at is not null'),
  ...pick(bulkItemsTable, 'outcome'),
}
/** A run in a bulk job, locked until the transaction ends. */
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

/** Returns the facts about a run, and whether the filter still matches the run. Undefined if the run was removed. */
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

/**
 * Whether the audit log has an entry for this command to the run since the operation started. Commands that only end
 * `wait` nodes are not counted.
 */
export async function hasEntrySince(tx: Tx, bulkJobId: string, runId: string, action: AuditAction): Promise<boolean> {
  const rows = await execute(
    tx,
    `select 1 from bulk_items join audit_log on target = run_id and action = $3 and audit_log.at >= begun_at
      where job_id = $1 and run_id = $2 and not coalesce(details ? 'nodes', false) limit 1`,
    [bulkJobId, runId, action],
  )
  return rows > 0
}

/** Records that the run did not answer an attempt. Returns the number of unanswered attempts. */
export async function noteUnanswered(tx: Tx, bulkJobId: string, runId: string): Promise<number> {
  const noted = await selectOne(
    tx,
    pick(bulkItemsTable, 'unanswered'),
    'update bulk_items set unanswered = unanswered + 1 where job_id = $1 and run_id = $2 returning unanswered',
    [bulkJobId, runId],
  )
  return noted?.unanswered ?? 0
}

/** Saves the outcome for a run. If an outcome is already saved, it is kept. */
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
/** A run to which the operation was not applied, and the reason. */
export type BulkProblem = Row<typeof PROBLEM>

/**
 * Lists the problems in a bulk job in the order in which they occurred. `brainIds` restricts them to runs that the
 * reader may see. Null means all.
 */
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
