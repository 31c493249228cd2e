import { ValidationError } from '../../domain/shared/errors.ts'
import {
  MAX_CHILD_RUNS,
  type JobKind,
  type JobOrder,
  type JobOutcome,
  type JobRecord,
  type JobSummary,
  type JobStatus,
  type OutcomeFilter,
  type Receipt,
} from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { Tx } from '../shared/database.ts'
import { cancelOpenNodes } from './job-nodes-store.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import { toJsonOrNull } from '../shared/json-text.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import { referenceCondition } from '../resources/reference-condition.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** The fields of an accepted job. Its first status is `pending`. */
export type NewJob = Pick<
  JobRecord,
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
  /** `kind` defaults to `pathway`. */
  Partial<
    Pick<
      JobRecord,
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
    >
  > & {
    /** The credential that started a root run. */
    credential?: string
    /** What a root run reserves of the month's included spend until it ends. */
    reserved_usd?: number
    /** The definition of a run whose pathway is not stored. */
    definition?: JsonValue
    /** The thread whose message started the run, which is none of its turns. */
    source_trace_id?: string
  }

export interface JobsFilter {
  job_ids?: string[]
  kind?: JobKind
  /** An id, or the slug of a live resource. The same holds for `receptor_id`, `neuron_id` and `trigger_id`. */
  pathway_id?: string
  /** Text in the title or the slug of the pathway, in any case. */
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
  /** How the requester begins, with or without its kind, in any case. */
  started_by?: string
  /** Text in the title, in any case. */
  title?: string
  /** Text in the title or the input, in any case. Long inputs are not looked at. */
  text?: string
  /** False leaves out runs that other runs have started. */
  child_runs?: boolean
  /** ISO 8601. */
  created_after?: string
  created_before?: string
  /** Only jobs that began after this one. */
  after_job?: string
  /** The brains whose jobs are visible, besides jobs without a brain. Null or undefined means all. */
  brain_ids?: string[] | null
}

export interface JobPageFilter extends JobsFilter {
  /** By default the newest first. */
  sort?: JobOrder
  limit: number
  offset: number
}

/** The end of a job, as reported by the run or by Temporal. */
export interface JobEnding {
  status: 'completed' | 'failed'
  result?: JsonValue
  failed_reason?: string | null
  failed_code?: string | null
  /** The node that failed. It is also the current step, else the last step stays. A completed job has none. */
  failed_node_key?: string
  receipt?: Receipt | null
  finished_at: string
}

export type EndedJob = Pick<
  JobRecord,
  'job_id' | 'status' | 'result' | 'failed_reason' | 'failed_code' | 'receipt' | 'finished_at'
>

/** SQL of how a job has ended; `open` for one that has not. */
const OUTCOME = `case when status = 'failed' and failed_code = 'CANCELLED' then 'cancelled'
  when status in ('completed', 'failed') then status else 'open' end`

const SUMMARY_COLUMNS = `job_id, workspace_id, brain_id, root_job_id, parent_job_id, parent_key, kind, pathway_id,
  pathway_version, asset_id, neuron_id, neuron_version, receptor_id, trigger_id, trace_id, turn, title,
  status, progress, current_step, requester, people, requester_brains, rights, labels, failed_reason, failed_code,
  failed_node_key, cancelled_by, usage, created_at, processed_at, finished_at, purged_at,
  nullif(${OUTCOME}, 'open') as outcome, (select title from resources where id = jobs.pathway_id) as pathway_title,
  coalesce(jsonb_path_exists(receipt::jsonb, '$[*].outcome ? (@ == "compensation_failed")'), false) as compensation_failed`
const COLUMNS = `${SUMMARY_COLUMNS}, input, result, receipt`

/**
 * Inserts a job into the workspace of the transaction. A repetition changes nothing, except that a job that failed with
 * `NEVER_STARTED` becomes pending. Returns true when the row was inserted or became pending.
 */
export async function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  const added = await tx.query<unknown[]>(
    `insert into jobs (job_id, brain_id, root_job_id, parent_key, pathway_id, pathway_version, title, requester, input,
                       kind, asset_id, neuron_id, neuron_version, receptor_id, trace_id, turn, parent_job_id, people,
                       requester_brains, credential, reserved_usd, trigger_id, definition, rights, source_trace_id, labels)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
             $24, $25, $26)
     on conflict (job_id) do update set status = 'pending', failed_reason = null, failed_code = null, finished_at = null,
                                        created_at = now()
      where jobs.failed_code = 'NEVER_STARTED' and jobs.purged_at is null
     returning job_id`,
    [
      job.job_id,
      job.brain_id,
      job.root_job_id,
      job.parent_key,
      job.pathway_id,
      job.pathway_version,
      toStorableText(job.title),
      job.requester,
      toJsonOrNull(job.input),
      job.kind ?? 'pathway',
      job.asset_id ?? null,
      job.neuron_id ?? null,
      job.neuron_version ?? null,
      job.receptor_id ?? null,
      job.trace_id ?? null,
      job.turn ?? null,
      job.parent_job_id ?? null,
      job.people,
      job.requester_brains ?? null,
      job.credential ?? null,
      job.reserved_usd ?? 0,
      job.trigger_id ?? null,
      toJsonOrNull(job.definition),
      job.rights,
      job.source_trace_id ?? null,
      job.labels ?? null,
    ],
  )
  return added.length > 0
}

/**
 * Inserts the job of a child run and counts it at its root. Returns false when the row exists. Throws ValidationError
 * when the root has as many child runs as are allowed.
 */
export async function insertChildJob(tx: Tx, job: NewJob): Promise<boolean> {
  if (!(await insertJob(tx, job))) return false
  const counted = await tx.query<unknown[]>(
    `with root as (update jobs set child_runs = child_runs + 1 where job_id = $1 and child_runs < $2 returning 1)
     select 1 from root`,
    [job.root_job_id, MAX_CHILD_RUNS],
  )
  if (counted.length === 0)
    throw new ValidationError(`A run starts at most ${MAX_CHILD_RUNS} child runs, at all levels`)
  return true
}

/** Counts the jobs of the workspace that are in progress and wait for no person, up to a maximum. */
export async function countJobsInProgress(tx: Tx, max: number): Promise<number> {
  const found = await tx.query<unknown[]>(`select 1 from jobs where status in ('pending', 'running') limit $1`, [max])
  return found.length
}

export async function findJob(tx: Tx, jobId: string): Promise<JobRecord | undefined> {
  const [job] = await findJobs(tx, [jobId])
  return job
}

/** Adds people to those behind a job; those who are there keep their place. */
export async function addPeople(tx: Tx, jobId: string, people: string[]): Promise<void> {
  await tx.query(
    `update jobs set people = people || array(select added from unnest($2::text[]) added where added <> all (people))
      where job_id = $1 and not people @> $2`,
    [jobId, people],
  )
}

/** Returns those that exist, in any order. */
export async function findJobs(tx: Tx, jobIds: string[]): Promise<JobRecord[]> {
  return tx.query<JobRecord[]>(`select ${COLUMNS} from jobs where job_id = any($1)`, [jobIds])
}

/** Returns the last started job of each asset. */
export async function findLastJobs(tx: Tx, assetIds: string[]): Promise<JobRecord[]> {
  return tx.query<JobRecord[]>(
    `select last.* from unnest($1::uuid[]) as asset (id)
      cross join lateral (select ${COLUMNS} from jobs where asset_id = asset.id
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
  const query = { columns: SUMMARY_COLUMNS, from: 'jobs', order: ORDERS[sort], limit, offset }
  return readPage<JobSummary>(tx, query, buildConditions(filter))
}

/** Counts jobs by their status and outcome. */
export async function countJobs(
  tx: Tx,
  filter: JobsFilter,
): Promise<{ status: JobStatus; outcome: JobOutcome | null; count: number }[]> {
  const conditions = buildConditions(filter)
  return tx.query(
    `select status, nullif(${OUTCOME}, 'open') as outcome, count(*)::integer as count
       from jobs ${conditions.text()} group by 1, 2`,
    conditions.parameters,
  )
}

/** Inputs whose stored size is above this are not searched. */
const MAX_SEARCHED_INPUT_BYTES = 16_384

/** The conditions of a filter on rows of `jobs`. */
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
  // A text that is not a UUID matches no thread.
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

/** The pathway of a run as it was pinned: `id` and `version` are null where the definition came with the request. */
export interface RunDefinition {
  id: string | null
  slug: string | null
  title: string | null
  version: number | null
  definition: JsonValue
}

/** Finds the definition that a run follows. Undefined for a job without one, and where its pathway was purged. */
export async function findRunDefinition(tx: Tx, jobId: string): Promise<RunDefinition | undefined> {
  const [found] = await tx.query<RunDefinition[]>(
    `select jobs.pathway_id as id, jobs.pathway_version as version, head.slug, pinned.title,
            coalesce(jobs.definition, pinned.document -> 'definition') as definition
       from jobs
       left join resources head on head.id = jobs.pathway_id
       left join resource_versions pinned on pinned.resource_id = head.id and pinned.version = jobs.pathway_version
      where job_id = $1 and coalesce(jobs.definition, pinned.document -> 'definition') is not null`,
    [jobId],
  )
  return found
}

/**
 * Writes the end of a job and closes its open interventions. An ended job stays unchanged, and with `cancelled` the
 * reason names the actor that cancelled the job or its root.
 */
export async function endJob(tx: Tx, jobId: string, ending: JobEnding & { cancelled?: boolean }): Promise<void> {
  await tx.query(
    `with ended as (
       update jobs
          set status = $2,
              result = $3,
              failed_reason = coalesce(
                case when $8 then 'cancelled by ' || coalesce(cancelled_by, (select root.cancelled_by from jobs root
                                                                             where root.job_id = jobs.root_job_id)) end,
                $4),
              failed_code = $5,
              receipt = coalesce($6, receipt),
              failed_node_key = $9,
              current_step = case when $2 = 'completed' then null else coalesce($9, current_step) end,
              finished_at = greatest($7, processed_at, created_at),
              processed_at = coalesce(processed_at, greatest($7, created_at))
        where job_id = $1 and status not in ('completed', 'failed')
    returning job_id
     )
     update interventions set status = 'cancelled', closed_at = $7
       from ended where interventions.job_id = ended.job_id and interventions.status = 'open'`,
    [
      jobId,
      ending.status,
      toJsonOrNull(ending.result),
      ending.failed_reason ? toStorableText(ending.failed_reason) : null,
      ending.failed_code ?? null,
      ending.receipt ? toStorableJson(ending.receipt) : null,
      ending.finished_at,
      ending.cancelled ?? false,
      ending.failed_node_key === undefined ? null : toStorableText(ending.failed_node_key),
    ],
  )
}

/** Locks a job and returns true when it has ended. Returns undefined when the job does not exist. */
export async function lockEndedJob(tx: Tx, jobId: string): Promise<boolean | undefined> {
  const [job] = await tx.query<{ ended: boolean }[]>(
    `select status in ('completed', 'failed') as ended from jobs where job_id = $1 for no key update`,
    [jobId],
  )
  return job?.ended
}

/**
 * Updates an open job to the end that Temporal reports. The open nodes of a failed run are cancelled and become its
 * receipt.
 */
export async function repairJob(tx: Tx, jobId: string, ending: JobEnding): Promise<void> {
  // The job is locked before its nodes, in the same order as in other writers.
  if ((await lockEndedJob(tx, jobId)) !== false) return
  const receipt = ending.status === 'failed' ? await cancelOpenNodes(tx, jobId, ending.finished_at) : []
  await endJob(tx, jobId, { ...ending, receipt: receipt.length > 0 ? receipt : null })
}

/** Saves the actor that cancelled the job, for the reason of its end. The first actor stays. */
export async function setCancelledBy(tx: Tx, jobId: string, actor: string): Promise<void> {
  await tx.query(
    `update jobs set cancelled_by = coalesce(cancelled_by, $2)
      where job_id = $1 and status not in ('completed', 'failed')`,
    [jobId, actor],
  )
}

/** Deletes a job that never ran, with its rows in other tables. Returns false when there is none. */
export async function deleteJob(tx: Tx, jobId: string): Promise<boolean> {
  const gone = await tx.query<unknown[]>(
    `with gone as (delete from jobs where job_id = $1 returning job_id),
     payloads as (delete from run_payloads using gone where run_payloads.job_id = gone.job_id)
     select from gone`,
    [jobId],
  )
  return gone.length > 0
}

/** Returns the ended jobs among these ids, in one statement. */
export async function findEnded(tx: Tx, jobIds: string[]): Promise<EndedJob[]> {
  return tx.query<EndedJob[]>(
    `select job_id, status, result, failed_reason, failed_code, receipt, finished_at
       from jobs where job_id = any($1) and status in ('completed', 'failed')`,
    [jobIds],
  )
}
