import { ValidationError } from '../../domain/shared/errors.ts'
import {
  MAX_CHILD_RUNS,
  type JobKind,
  type JobRef,
  type JobOrder,
  type JobOutcome,
  type JobStatus,
  type OutcomeFilter,
} from '../../domain/runs/jobs.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableText } from '../../domain/shared/json/storable.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import { referenceCondition } from '../resources/reference-condition.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { bigint, boolean, computed, json, list, nullable, pick, text, type Row } from '../shared/table.ts'
import { jobsTable } from './tables.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** The fields of an accepted job. The initial status is `pending`, and `kind` defaults to `pathway`. */
export type NewJob = Pick<
  JobRow,
  | 'job_id'
  | 'brain_id'
  | 'root_job_id'
  | 'parent_key'
  | 'pathway_id'
  | 'pathway_version'
  | 'title'
  | 'requester'
  | 'rights'
  | 'input'
  | 'people'
> &
  Partial<
    Pick<
      JobRow,
      | 'parent_job_id'
      | 'requester_brains'
      | 'labels'
      | 'kind'
      | 'asset_id'
      | 'neuron_id'
      | 'neuron_version'
      | 'receptor_id'
      | 'trigger_id'
      | 'trace_id'
      | 'turn'
      | 'credential'
      | 'reserved_usd'
      | 'definition'
      | 'source_trace_id'
    >
  >

type JobRow = Row<typeof jobsTable.columns>

export interface JobsFilter {
  job_ids?: string[]
  kind?: JobKind
  /** An id, or the slug of a live resource. The same applies to `receptor_id`, `neuron_id` and `trigger_id`. */
  pathway_id?: string
  /** Matches text in the title or slug of the pathway, ignoring case. */
  pathway?: string
  pathway_version?: number
  receptor_id?: string
  neuron_id?: string
  trigger_id?: string
  trace_id?: string
  statuses?: JobStatus[]
  outcomes?: OutcomeFilter[]
  error_code?: string
  requester?: string
  /** Matches a prefix of the requester, with or without the kind of requester, ignoring case. */
  started_by?: string
  /** Matches text in the job title, ignoring case. */
  title?: string
  /** Matches text in the job title or input, ignoring case. Long inputs are not searched. */
  text?: string
  /** False omits child runs. */
  child_runs?: boolean
  /** ISO 8601. */
  created_after?: string
  created_before?: string
  /** Only jobs created after the job with this id. */
  after_job?: string
  /** The visible brains. Jobs without a brain are always visible. Null or undefined means all. */
  brain_ids?: string[] | null
}

export interface JobPageFilter extends JobsFilter {
  /** Defaults to newest first. */
  sort?: JobOrder
  limit: number
  offset: number
}

/** SQL for the outcome of a job. It is `open` until the job ends. */
const OUTCOME = `case when status = 'failed' and failed_code = 'CANCELLED' then 'cancelled'
  when status in ('completed', 'failed') then status else 'open' end`

/** A job as listed, without fields of unlimited size. */
const SUMMARY = {
  ...pick(
    jobsTable,
    'job_id',
    'workspace_id',
    'brain_id',
    'root_job_id',
    'parent_job_id',
    'parent_key',
    'kind',
    'pathway_id',
    'pathway_version',
    'asset_id',
    'neuron_id',
    'neuron_version',
    'receptor_id',
    'trigger_id',
    'trace_id',
    'turn',
    'title',
    'status',
    'progress',
    'current_step',
    'requester',
    'people',
    'requester_brains',
    'rights',
    'labels',
    'failed_reason',
    'failed_code',
    'failed_node_key',
    'cancelled_by',
    'usage',
    'created_at',
    'processed_at',
    'finished_at',
    'purged_at',
  ),
  /** Null while the job is open. */
  outcome: computed(nullable(text<JobOutcome>()), `nullif(${OUTCOME}, 'open')`),
  /** The current title of the pathway. */
  pathway_title: computed(nullable(text()), '(select title from resources where id = jobs.pathway_id)'),
  /** Whether compensation failed for any node. */
  compensation_failed: computed(
    boolean(),
    `coalesce(jsonb_path_exists(receipt::jsonb, '$[*].outcome ? (@ == "compensation_failed")'), false)`,
  ),
}
const RECORD = { ...SUMMARY, ...pick(jobsTable, 'input', 'result', 'receipt') }

export type JobSummary = Row<typeof SUMMARY>
/** The stored projection of a run, from which the API builds the job. */
export type JobRecord = Row<typeof RECORD>

/** Returns the reference to a stored job, without the depth. */
export const toJobRef = (row: JobRecord): JobRef => ({
  job_id: row.job_id,
  root_job_id: row.root_job_id,
  workspace_id: row.workspace_id,
  brain_id: row.brain_id ?? undefined,
  brain_ids: row.requester_brains ?? undefined,
  people: row.people,
  rights: row.rights,
  labels: row.labels ?? undefined,
})

/** Returns the row fields that a job reference contains. */
export const toJobFields = ({
  job_id,
  root_job_id,
  parent_job_id,
  brain_id,
  brain_ids,
  people,
  rights,
  labels,
}: JobRef) => ({
  job_id,
  root_job_id,
  parent_job_id,
  brain_id: brain_id ?? null,
  people,
  requester_brains: brain_ids ?? null,
  rights,
  labels: labels ?? null,
})

/**
 * Inserts a job into the transaction's workspace. Repeating the call has no effect, except that a job that failed
 * with `NEVER_STARTED` becomes pending again. Returns true when the row was inserted or became pending.
 */
export async function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  const { title, input, definition, ...fields } = job
  const written = await insert(
    tx,
    jobsTable,
    { ...fields, title: toStorableText(title), input: input ?? null, definition },
    `on conflict (job_id) do update set status = 'pending', failed_reason = null, failed_code = null, finished_at = null,
                                        created_at = now()
      where jobs.failed_code = 'NEVER_STARTED' and jobs.purged_at is null`,
  )
  return written > 0
}

/**
 * Inserts the job for a child run, and adds it to the child run count of the root job. Returns false when the row
 * exists. Throws ValidationError when the root job has reached the child run limit.
 */
export async function insertChildJob(tx: Tx, job: NewJob): Promise<boolean> {
  if (!(await insertJob(tx, job))) return false
  const counted = await execute(
    tx,
    'update jobs set child_runs = child_runs + 1 where job_id = $1 and child_runs < $2',
    [job.root_job_id, MAX_CHILD_RUNS],
  )
  if (counted === 0) throw new ValidationError(`A run can start at most ${MAX_CHILD_RUNS} child runs across all levels`)
  return true
}

/** Counts the workspace's pending and running jobs, up to `max`. */
export async function countJobsInProgress(tx: Tx, max: number): Promise<number> {
  return execute(tx, `select from jobs where status in ('pending', 'running') limit $1`, [max])
}

export async function findJob(tx: Tx, jobId: string): Promise<JobRecord | undefined> {
  const [job] = await findJobs(tx, [jobId])
  return job
}

/** Adds people to the list of people behind a job. Existing people keep their position in the list. */
export async function addPeople(tx: Tx, jobId: string, people: string[]): Promise<void> {
  await execute(
    tx,
    `update jobs set people = people || array(select added from unnest($2::text[]) added where added <> all (people))
      where job_id = $1 and not people @> $2`,
    [jobId, people],
  )
}

/** Returns those of the given jobs that exist, in any order. */
export async function findJobs(tx: Tx, jobIds: string[]): Promise<JobRecord[]> {
  return select(tx, RECORD, `select ${list(RECORD)} from jobs where job_id = any($1)`, [jobIds])
}

/** Lists up to `limit` jobs that have not ended, in order of id, after the given id. */
export async function listOpenJobs(tx: Tx, { after, limit }: { after: string; limit: number }): Promise<JobSummary[]> {
  return select(
    tx,
    SUMMARY,
    `select ${list(SUMMARY)} from jobs
      where status in ('pending', 'running', 'waiting', 'paused') and job_id > $1 order by job_id limit $2`,
    [after, limit],
  )
}

/** Returns those of the given jobs that exist, without fields of unlimited size. */
export async function findJobSummaries(tx: Tx, jobIds: string[]): Promise<JobSummary[]> {
  return select(tx, SUMMARY, `select ${list(SUMMARY)} from jobs where job_id = any($1)`, [jobIds])
}

/** Returns the latest job for each asset. */
export async function findLastJobs(tx: Tx, assetIds: string[]): Promise<JobRecord[]> {
  return select(
    tx,
    RECORD,
    `select last.* from unnest($1::uuid[]) as asset (id)
      cross join lateral (select ${list(RECORD)} from jobs where asset_id = asset.id
                           order by created_at desc, job_id desc limit 1) last`,
    [assetIds],
  )
}

const ORDERS: Record<JobOrder, string> = {
  newest: 'created_at desc, job_id desc',
  oldest: 'created_at, job_id',
  longest: 'coalesce(finished_at, now()) - created_at desc, job_id desc',
  costliest: `(usage ->> 'usd')::numeric desc, created_at desc, job_id desc`,
}

/** Returns a page of jobs. */
export async function listJobs(tx: Tx, filter: JobPageFilter): Promise<Page<JobSummary>> {
  const { sort = 'newest', limit, offset } = filter
  const query = { columns: SUMMARY, from: 'jobs', order: ORDERS[sort], limit, offset }
  return readPage(tx, query, buildConditions(filter))
}

const COUNTS = { ...pick(jobsTable, 'status'), outcome: SUMMARY.outcome, count: computed(bigint(), 'count(*)') }

/** Counts jobs by status and outcome. */
export async function countJobs(tx: Tx, filter: JobsFilter): Promise<Row<typeof COUNTS>[]> {
  const conditions = buildConditions(filter)
  return select(
    tx,
    COUNTS,
    `select ${list(COUNTS)}
       from jobs ${conditions.text()} group by 1, 2`,
    conditions.parameters,
  )
}

/** Maximum stored size of an input that is searched. */
const MAX_SEARCHED_INPUT_BYTES = 16_384

/** Builds the SQL conditions for the rows of `jobs` that match a filter. */
export function buildConditions(filter: JobsFilter): ReturnType<typeof createFilter> {
  const conditions = createFilter()
  conditions.where('job_id = any(?)', filter.job_ids)
  conditions.where('kind = ?', filter.kind)
  conditions.where(referenceCondition('pathway_id', 'pathways', filter.pathway_id), filter.pathway_id)
  conditions.where(
    `pathway_id in (select id from resources where kind = 'pathways'
                       and (position(lower(?) in lower(title)) > 0 or position(lower(?) in slug) > 0))`,
    filter.pathway,
  )
  conditions.where('pathway_version = ?', filter.pathway_version)
  conditions.where(referenceCondition('receptor_id', 'receptors', filter.receptor_id), filter.receptor_id)
  conditions.where(referenceCondition('neuron_id', 'neurons', filter.neuron_id), filter.neuron_id)
  conditions.where(referenceCondition('trigger_id', 'triggers', filter.trigger_id), filter.trigger_id)
  // A value that is not a UUID matches no thread.
  const trace = filter.trace_id
  conditions.where(trace === undefined || isUuid(trace) ? 'trace_id = ?' : '?::text is null', trace)
  conditions.whereOneOf('status', filter.statuses)
  conditions.where(`${OUTCOME} = any(?)`, filter.outcomes)
  conditions.where('failed_code = ?', filter.error_code)
  conditions.where('requester = ?', filter.requester)
  conditions.where(
    `(starts_with(lower(requester), lower(?))
      or starts_with(lower(substr(requester, position(':' in requester) + 1)), lower(?)))`,
    filter.started_by,
  )
  conditions.where('position(lower(?) in lower(title)) > 0', filter.title)
  conditions.where(
    `(position(lower(?) in lower(title)) > 0
      or (pg_column_size(input) <= ${MAX_SEARCHED_INPUT_BYTES} and position(lower(?) in lower(input::text)) > 0))`,
    filter.text,
  )
  conditions.where('(parent_job_id is null) = ?', filter.child_runs === false ? true : undefined)
  conditions.where('created_at > ?', filter.created_after)
  conditions.where('created_at < ?', filter.created_before)
  conditions.where('(created_at, job_id) > (select created_at, job_id from jobs where job_id = ?)', filter.after_job)
  conditions.where('(brain_id is null or brain_id = any(?))', filter.brain_ids ?? undefined)
  return conditions
}

/** The pinned pathway of a run. `id` and `version` are null when the request contained the definition. */
const DEFINITION = {
  id: computed(jobsTable.columns.pathway_id, 'jobs.pathway_id'),
  version: computed(jobsTable.columns.pathway_version, 'jobs.pathway_version'),
  slug: computed(nullable(text()), 'head.slug'),
  title: computed(nullable(text()), 'pinned.title'),
  definition: computed(json(), `coalesce(jobs.definition, pinned.document -> 'definition')`),
}
export type RunDefinition = Row<typeof DEFINITION>

/**
 * Returns the definition that a run executes. Undefined for a job without a definition, or when the pathway was
 * purged.
 */
export async function findRunDefinition(tx: Tx, jobId: string): Promise<RunDefinition | undefined> {
  return selectOne(
    tx,
    DEFINITION,
    `select ${list(DEFINITION)}
       from jobs
       left join resources head on head.id = jobs.pathway_id
       left join resource_versions pinned on pinned.resource_id = head.id and pinned.version = jobs.pathway_version
      where job_id = $1 and coalesce(jobs.definition, pinned.document -> 'definition') is not null`,
    [jobId],
  )
}

/** Deletes a job that never ran, and its rows in other tables. Returns false when the job does not exist. */
export async function deleteJob(tx: Tx, jobId: string): Promise<boolean> {
  const rows = await execute(
    tx,
    `with gone as (delete from jobs where job_id = $1 returning job_id),
     payloads as (delete from run_payloads using gone where run_payloads.job_id = gone.job_id)
     select from gone`,
    [jobId],
  )
  return rows > 0
}
