import type { Intervention, Vote } from '../domain/jobs.ts'
import type { Tx } from './database.ts'
import type { InterventionStatus } from './interventions-store.ts'
import { storableJson } from './json-text.ts'

/** What has become known of one asking; fields left out say nothing. */
export interface InterventionNews extends Partial<Intervention> {
  id: string
  /** sha-256 of what the person is shown; set with the fields of the opening. */
  shown_hash?: string
  status?: Exclude<InterventionStatus, 'open'>
  closed_at?: string
  decision?: Vote
}

export interface VoteNews extends Vote {
  intervention_id: string
}

/**
 * Writes what is known of askings of a job, in one statement, in whatever order it comes and however often: what was
 * known first stays, assignees add up, and the first closing counts. An asking of a job that has ended is closed.
 * Nothing is written for a job that is not there.
 */
export async function saveInterventionNews(tx: Tx, jobId: string, news: InterventionNews[]): Promise<void> {
  if (news.length === 0) return
  await tx.query(
    `insert into interventions as known
            (id, job_id, root_job_id, node_key, node_id, kind, title, description, form, questions, context, assignees,
             quorum, excluded, due_at, opened_at, shown_hash, status, closed_at, decision)
     select news.id, jobs.job_id, jobs.root_job_id, node_key, node_id, news.kind, news.title, description, form,
            questions, context, coalesce(assignees, '{}'), quorum, excluded, due_at, opened_at, shown_hash,
            coalesce(news.status, case when jobs.finished_at is null then 'open' else 'cancelled' end),
            coalesce(closed_at, jobs.finished_at), decision
       from jobs, json_to_recordset($2::json) as news
            (id text, node_key text, node_id text, kind text, title text, description text, form json, questions json,
             context json, assignees text[], quorum integer, excluded text, due_at timestamptz, opened_at timestamptz,
             shown_hash text, status text, closed_at timestamptz, decision json)
      where jobs.job_id = $1
      order by news.id
     on conflict (workspace_id, id) do update set
       (node_key, node_id, kind, title, description, form, questions, context, quorum, excluded, due_at, opened_at,
        shown_hash) = (
         select either.* from (
           select known.node_key, known.node_id, known.kind, known.title, known.description, known.form,
                  known.questions, known.context, known.quorum, known.excluded, known.due_at, known.opened_at,
                  known.shown_hash where known.opened_at is not null
           union all
           select excluded.node_key, excluded.node_id, excluded.kind, excluded.title, excluded.description,
                  excluded.form, excluded.questions, excluded.context, excluded.quorum, excluded.excluded,
                  excluded.due_at, excluded.opened_at, excluded.shown_hash where known.opened_at is null
         ) either),
       assignees = known.assignees
         || array(select added from unnest(excluded.assignees) added where added <> all (known.assignees)),
       status = case known.status when 'open' then excluded.status else known.status end,
       closed_at = coalesce(known.closed_at, excluded.closed_at),
       decision = coalesce(known.decision, excluded.decision)`,
    [jobId, storableJson(news)],
  )
}

/**
 * Writes answers and, for each that is new, a line of the audit log: who, when, what, and the hash of what was shown.
 * To be sent after the news of the same askings.
 */
export async function saveVotes(tx: Tx, jobId: string, votes: VoteNews[]): Promise<void> {
  if (votes.length === 0) return
  await tx.query(
    `with given as (
       insert into intervention_votes (intervention_id, actor, action, at, comment, data, answers)
       select news.intervention_id, news.by, news.action, news.at, news.comment, news.data, news.answers
         from json_to_recordset($2::json) as news
              (intervention_id text, by text, action text, at timestamptz, comment text, data json, answers json)
         join interventions on interventions.id = news.intervention_id and interventions.job_id = $1
       on conflict do nothing
       returning intervention_id, actor, action, at
     )
     insert into audit_log (at, actor, action, target, details)
     select given.at, given.actor, 'intervention.answer', given.intervention_id,
            jsonb_build_object('job_id', interventions.job_id, 'node_id', interventions.node_id,
                               'answer', given.action, 'shown_hash', interventions.shown_hash)
       from given join interventions on interventions.id = given.intervention_id`,
    [jobId, storableJson(votes)],
  )
}
