import type { InterventionKind, Question, Vote } from '../domain/jobs.ts'
import type { JsonSchema, JsonValue } from '../domain/json.ts'
import { createFilter, readPage, type Page } from './page.ts'
import type { Tx } from './database.ts'

export type InterventionStatus = 'open' | 'decided' | 'timed_out' | 'cancelled'

/** One asking as it stands, with the votes so far in the order they were given. */
export interface InterventionRecord {
  id: string
  job_id: string
  root_job_id: string
  node_key: string
  node_id: string
  kind: InterventionKind
  title: string
  description: string | null
  form: JsonSchema | null
  questions: Question[] | null
  context: JsonValue
  assignees: string[]
  quorum: number
  excluded: string | null
  due_at: string | null
  opened_at: string
  status: InterventionStatus
  closed_at: string | null
  decision: Vote | null
  votes: Vote[]
  shown_hash: string
}

export interface InterventionsFilter {
  status?: InterventionStatus
  assignee?: string
  /** Askings of this job or of any run below it. */
  job_id?: string
  /** Brains of whose jobs the reader may see askings, beside jobs of no brain; null or left out means all. */
  brain_ids?: string[] | null
  limit: number
  offset: number
}

const COLUMNS = `id, job_id, root_job_id, node_key, node_id, kind, title, description, form, questions, context,
  assignees, quorum, excluded, due_at, opened_at, status, closed_at, decision, shown_hash,
  (select coalesce(json_agg(json_strip_nulls(json_build_object(
            'action', action, 'by', actor, 'at', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'comment', comment, 'data', data, 'answers', answers)) order by at), '[]')
     from intervention_votes where intervention_id = interventions.id) as votes`

export async function findIntervention(tx: Tx, id: string): Promise<InterventionRecord | undefined> {
  const [found] = await tx.query<InterventionRecord[]>(
    `select ${COLUMNS} from interventions where id = $1 and opened_at is not null`,
    [id],
  )
  return found
}

/** Open askings of a job and of the runs below it, oldest first. */
export const openInterventionsOf = (tx: Tx, jobId: string): Promise<InterventionRecord[]> =>
  openInterventionsAmong(tx, [jobId])

/** The same for many jobs in one statement; an asking of a child run belongs to its own job and to its root. */
export async function openInterventionsAmong(tx: Tx, jobIds: string[]): Promise<InterventionRecord[]> {
  return tx.query<InterventionRecord[]>(
    `select ${COLUMNS} from interventions
      where (job_id = any($1) or root_job_id = any($1)) and status = 'open' and opened_at is not null
      order by opened_at, id`,
    [jobIds],
  )
}

/** Newest first. */
export async function listInterventions(tx: Tx, filter: InterventionsFilter): Promise<Page<InterventionRecord>> {
  const conditions = createFilter()
  conditions.where('opened_at is not null and ?', true)
  conditions.where('status = ?', filter.status)
  conditions.where('? = any(assignees)', filter.assignee)
  conditions.where('(job_id = ? or root_job_id = ?)', filter.job_id)
  conditions.where(
    `exists (select from jobs where jobs.job_id = interventions.job_id
                                and (brain_id is null or brain_id = any(?)))`,
    filter.brain_ids ?? undefined,
  )
  const { limit, offset } = filter
  const query = { columns: COLUMNS, from: 'interventions', order: 'opened_at desc, id desc', limit, offset }
  return readPage<InterventionRecord>(tx, query, conditions)
}
