import type { Handling } from '../../domain/people/handling.ts'
import {
  MAX_COUNTED,
  type Intervention,
  type InterventionKind,
  type InterventionOrder,
  type PendingAnswer,
  type Vote,
} from '../../domain/people/intervention.ts'
import type { JobRecord } from '../runs/jobs-store.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import {
  computed,
  integer,
  json,
  list,
  listTypes,
  nullable,
  omit,
  pick,
  present,
  text,
  type Row,
} from '../shared/table.ts'
import { interventionsTable } from './tables.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { type Answerer, answerableConditions } from './answerable.ts'
import { PENDING_ANSWERS } from './pending-answers-store.ts'
import { referenceCondition } from '../resources/reference-condition.ts'
import { VOTES } from './votes-store.ts'

/** The fields of the root run that readers of an intervention may see. */
export interface RootJob extends Pick<JobRecord, 'title' | 'requester' | 'kind'> {
  pathway_id?: string
  /** The current title of the pathway. */
  pathway_title?: string
}

export type InterventionStatus = InterventionRecord['status']

export interface InterventionsFilter {
  statuses?: InterventionStatus[]
  kind?: InterventionKind
  /** Only interventions assigned to at least one of these people or groups. */
  assignees?: string[]
  /** The pathway of the root run: an id, or the slug of a live pathway. */
  pathway_id?: string
  /** Only interventions that this caller may answer now. */
  answerable_by?: Answerer
  /** Only interventions in this job and its child runs. */
  job_id?: string
  /** Only interventions in the runs that answer in this thread, and in their child runs. */
  trace_id?: string
  /** The visible brains. Jobs without a brain are always visible. Null or undefined means all. */
  brain_ids?: string[] | null
}

export interface InterventionPageFilter extends InterventionsFilter {
  /** Defaults to `opened`. */
  sort?: InterventionOrder
  limit: number
  offset: number
}

const { node_key, node_id, kind, title, quorum, opened_at, shown_hash } = interventionsTable.columns
/** The columns of an intervention that has been opened. */
const RECORD = {
  ...pick(
    interventionsTable,
    'id',
    'job_id',
    'root_job_id',
    'description',
    'form',
    'questions',
    'context',
    'assignees',
  ),
  ...pick(interventionsTable, 'excluded', 'due_at', 'status', 'closed_at', 'decision', 'handling'),
  node_key: present(node_key),
  node_id: present(node_id),
  kind: present(kind),
  title: present(title),
  quorum: present(quorum),
  opened_at: present(opened_at),
  shown_hash: present(shown_hash),
  /** The root run. Null if the root run was purged. */
  root_job: computed(
    nullable(json<RootJob>()),
    `(select json_strip_nulls(json_build_object('title', title, 'requester', requester, 'kind', kind,
               'pathway_id', pathway_id,
               'pathway_title', (select title from resources where id = jobs.pathway_id)))
        from jobs where jobs.job_id = interventions.root_job_id)`,
  ),
  votes: computed(json<Vote[]>(), VOTES),
  /** Answers that are not yet counted but may still be, oldest first. Null if there are none. */
  pending_answers: computed(
    nullable(json<(PendingAnswer & { update_id: string })[]>()),
    `case status when 'open' then ${PENDING_ANSWERS} end`,
  ),
}
/** An intervention with its votes, oldest first. */
export type InterventionRecord = Row<typeof RECORD>

export async function findIntervention(tx: Tx, id: string): Promise<InterventionRecord | undefined> {
  const [intervention] = await findInterventionsById(tx, [id])
  return intervention
}

/** Returns the interventions that exist, in any order. */
export async function findInterventionsById(tx: Tx, ids: string[]): Promise<InterventionRecord[]> {
  return select(tx, RECORD, `select ${list(RECORD)} from interventions where id = any($1) and opened_at is not null`, [
    ids,
  ])
}

/** Returns the open interventions in a job and its child runs, oldest first. */
export const listOpenInterventions = (tx: Tx, jobId: string): Promise<InterventionRecord[]> =>
  listOpenInterventionsOfJobs(tx, [jobId])

const OPEN_TASK = { title: present(title), ...pick(interventionsTable, 'due_at') }
/** An open task in a list. */
export type OpenTask = Row<typeof OPEN_TASK>

/** Returns the open tasks of a group, or of a member with or without those of their groups. Oldest first. */
export async function listOpenTasksOf(
  tx: Tx,
  name: string,
  { includesGroups, limit }: { includesGroups: boolean; limit: number },
): Promise<OpenTask[]> {
  return select(
    tx,
    OPEN_TASK,
    `select ${list(OPEN_TASK)} from interventions
      where status = 'open' and opened_at is not null and $1 <> all(excluded)
        and assignees && array_append(coalesce((select groups from members where actor = $1 and $2), '{}'), $1)
      order by opened_at, id limit $3`,
    [name, includesGroups, limit],
  )
}

/**
 * Returns the open interventions in these jobs. An intervention in a child run matches the child's job and the root
 * job.
 */
export async function listOpenInterventionsOfJobs(tx: Tx, jobIds: string[]): Promise<InterventionRecord[]> {
  return select(
    tx,
    RECORD,
    `select ${list(RECORD)} from interventions
      where (job_id = any($1) or root_job_id = any($1)) and status = 'open' and opened_at is not null
      order by opened_at, id`,
    [jobIds],
  )
}

/** Lists a job's interventions that people decided, oldest first. */
export async function listDecisions(tx: Tx, jobId: string): Promise<InterventionRecord[]> {
  return select(
    tx,
    RECORD,
    `select ${list(RECORD)} from interventions where job_id = $1 and decision is not null order by closed_at, id`,
    [jobId],
  )
}

/** Returns when a node was opened again after a migration discarded its decision. Undefined if it was not. */
export async function findNextOpening(
  tx: Tx,
  { job_id, node_key, opened_at }: Pick<InterventionRecord, 'job_id' | 'node_key' | 'opened_at'>,
): Promise<string | undefined> {
  const row = await selectOne(
    tx,
    pick(interventionsTable, 'opened_at'),
    'select min(opened_at) as opened_at from interventions where job_id = $1 and node_key = $2 and opened_at > $3',
    [job_id, node_key, opened_at],
  )
  return row?.opened_at ?? undefined
}

/** Lists the keys of a job's nodes that started a child run in which people answered, at any depth. */
export async function listAnsweredChildren(tx: Tx, jobId: string): Promise<string[]> {
  const rows = await select(
    tx,
    { parent_key: text() },
    `with recursive below as (
       select job_id, parent_key from jobs where parent_job_id = $1
       union
       select jobs.job_id, below.parent_key from below join jobs on jobs.parent_job_id = below.job_id
     )
     select distinct parent_key from below join interventions using (job_id)
      where exists (select from intervention_votes vote where vote.intervention_id = interventions.id)`,
    [jobId],
  )
  return rows.map(({ parent_key }) => parent_key)
}

const ORDERS: Record<InterventionOrder, string> = {
  opened: 'opened_at desc, id desc',
  due: 'due_at nulls last, opened_at, id',
  closed: 'closed_at desc nulls last, opened_at desc, id desc',
}

/** Returns a page of interventions. */
export async function listInterventions(tx: Tx, filter: InterventionPageFilter): Promise<Page<InterventionRecord>> {
  const { sort = 'opened', limit, offset } = filter
  const query = { columns: RECORD, from: 'interventions', order: ORDERS[sort], limit, offset }
  return readPage(tx, query, buildConditions(filter))
}

/** Counts interventions, up to `MAX_COUNTED`. The count is limited because an open inbox polls it every few seconds. */
export async function countInterventions(tx: Tx, filter: InterventionsFilter): Promise<number> {
  const conditions = buildConditions(filter)
  const counted = await selectOne(
    tx,
    { count: integer() },
    `select count(*)::integer as count
       from (select from interventions ${conditions.text()} limit ${MAX_COUNTED}) found`,
    conditions.parameters,
  )
  return counted?.count ?? 0
}

function buildConditions(filter: InterventionsFilter): ReturnType<typeof createFilter> {
  const conditions = createFilter()
  const ofPathway = referenceCondition('pathway_id', 'pathways', filter.pathway_id)
  conditions.where('opened_at is not null and ?', true)
  conditions.whereOneOf('status', filter.statuses)
  conditions.where('kind = ?', filter.kind)
  conditions.where('assignees && ?', filter.assignees)
  conditions.where(
    `exists (select from jobs where jobs.job_id = interventions.root_job_id and ${ofPathway})`,
    filter.pathway_id,
  )
  conditions.where('(job_id = ? or root_job_id = ?)', filter.job_id)
  conditions.where('root_job_id in (select job_id from jobs where trace_id = ?)', filter.trace_id)
  if (filter.answerable_by) answerableConditions(conditions.bind, filter.answerable_by).forEach(conditions.add)
  conditions.where(
    `exists (select from jobs where jobs.job_id = interventions.job_id
                                and (brain_id is null or brain_id = any(?)))`,
    filter.brain_ids ?? undefined,
  )
  return conditions
}

/** A partial update to an intervention. Undefined fields keep their values. */
export interface InterventionPatch extends Partial<Intervention> {
  id: string
  /** SHA-256 of the content shown to the person. Set together with the other fields of the opening. */
  shown_hash?: string
  status?: Exclude<InterventionStatus, 'open'>
  closed_at?: string
  decision?: Vote
  /** Set together with the complete list of assignees. */
  handling?: Handling
}

const PATCH = omit(interventionsTable, 'workspace_id', 'job_id', 'root_job_id')

/**
 * Merges patches. They can be applied in any order and more than once. The first opening and the first closing win.
 * The assignees with the highest handling revision win; without a revision, assignees are combined. Excluded people
 * are also combined. Interventions in an ended job are closed. Nothing is written for a purged or missing job.
 */
export async function upsertInterventions(tx: Tx, jobId: string, patches: InterventionPatch[]): Promise<void> {
  if (patches.length === 0) return
  await execute(
    tx,
    `insert into interventions as known
            (id, job_id, root_job_id, node_key, node_id, kind, title, description, form, questions, context, assignees,
             quorum, excluded, due_at, opened_at, shown_hash, status, closed_at, decision, handling)
     select patch.id, jobs.job_id, jobs.root_job_id, node_key, node_id, patch.kind, patch.title, description, form,
            questions, context, coalesce(assignees, '{}'), quorum, coalesce(excluded, '{}'), due_at, opened_at, shown_hash,
            coalesce(patch.status, case when jobs.finished_at is null then 'open' else 'cancelled' end),
            coalesce(closed_at, jobs.finished_at), decision, handling
       from jobs, json_to_recordset($2::json) as patch
            (${listTypes(PATCH)})
      where jobs.job_id = $1 and jobs.purged_at is null
      order by patch.id
     on conflict (workspace_id, id) do update set
       (node_key, node_id, kind, title, description, form, questions, context, quorum, due_at, opened_at, shown_hash) = (
         select either.* from (
           select known.node_key, known.node_id, known.kind, known.title, known.description, known.form,
                  known.questions, known.context, known.quorum, known.due_at, known.opened_at,
                  known.shown_hash where known.opened_at is not null
           union all
           select excluded.node_key, excluded.node_id, excluded.kind, excluded.title, excluded.description,
                  excluded.form, excluded.questions, excluded.context, excluded.quorum,
                  excluded.due_at, excluded.opened_at, excluded.shown_hash where known.opened_at is null
         ) either),
       (assignees, handling) = (
         select known.assignees, known.handling where (known.handling ->> 'revision')::integer
                                                     > coalesce((excluded.handling ->> 'revision')::integer, 0)
         union all
         select excluded.assignees, excluded.handling where (excluded.handling ->> 'revision')::integer
                                                     >= coalesce((known.handling ->> 'revision')::integer, 0)
         union all
         select known.assignees
                  || array(select added from unnest(excluded.assignees) added where added <> all (known.assignees)),
                null where known.handling is null and excluded.handling is null),
       excluded = known.excluded
                  || array(select added from unnest(excluded.excluded) added where added <> all (known.excluded)),
       status = case known.status when 'open' then excluded.status else known.status end,
       closed_at = coalesce(known.closed_at, excluded.closed_at),
       decision = coalesce(known.decision, excluded.decision)`,
    [jobId, toStorableJson(patches)],
  )
}
