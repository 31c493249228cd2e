import type { Signature, VoteStatement } from '../../domain/people/evidence/statement.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** Times as statements and the audit log have them. */
const toText = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A vote as it was recorded, with its texts until they are removed. */
export interface StoredVote {
  intervention_id: string
  seq: number
  /** The time that the database wrote. */
  recorded_at: string
  statement: VoteStatement
  /** Null where the worker had no key. */
  signature: Signature | null
}

export interface VoteTexts {
  intervention_id: string
  /** That of the vote; 0 for what was shown to all voters. */
  seq: number
  /** By name. Null for what was shown. */
  texts: JsonObject | null
  salts: Record<string, string>
}

/** The time of the transaction, which the database also writes into its rows. */
export async function readTransactionTime(tx: Tx): Promise<string> {
  const [found] = await tx.query<[{ now: string }]>(`select ${toText('now()')} as now`)
  return found.now
}

/** Lists the votes of interventions in the order in which they counted. */
export async function listVotes(tx: Tx, interventionIds: string[]): Promise<StoredVote[]> {
  return tx.query<StoredVote[]>(
    `select intervention_id, seq, ${toText('recorded_at')} as recorded_at, statement, signature from intervention_votes
      where intervention_id = any($1) order by intervention_id, seq`,
    [interventionIds],
  )
}

export async function listVoteTexts(tx: Tx, interventionIds: string[]): Promise<VoteTexts[]> {
  return tx.query<VoteTexts[]>(
    `select intervention_id, seq, texts, salts from vote_texts where intervention_id = any($1) order by intervention_id, seq`,
    [interventionIds],
  )
}

/** Returns the kind and the maker of a credential, where it is stored. */
export async function findVoteCredential(
  tx: Tx,
  id: string,
): Promise<{ kind: string; created_by: string | null } | undefined> {
  if (!isUuid(id)) return undefined
  const [found] = await tx.query<{ kind: string; created_by: string | null }[]>(
    `select kind, to_json(credentials) ->> 'created_by' as created_by from credentials where id = $1`,
    [id],
  )
  return found
}

export type NewVote = Pick<StoredVote, 'statement' | 'signature'> & { statement_hash: string }

/** Inserts votes with their audit entries, and their texts. */
export async function insertVotes(tx: Tx, jobId: string, votes: NewVote[], texts: VoteTexts[]): Promise<void> {
  const rows = votes.map(({ statement, signature, statement_hash }) => {
    const { intervention_id, seq, brain_id, request_id, vote, credential, task } = statement
    const details = {
      job_id: jobId,
      node_id: task.node_id,
      answer: vote.action,
      on_behalf_of: vote.on_behalf_of,
      shown_hash: task.shown_hash,
      seq,
      statement_hash,
    }
    const { by: actor, person = actor } = vote
    const audit = { actor, person, key_id: credential?.id, brain_id, request_id, before_hash: task.shown_hash, details }
    return { intervention_id, seq, statement, signature, ...audit }
  })
  await Promise.all([
    tx.query(
      `with sent as (
         select * from json_to_recordset($2::json) as vote
                (intervention_id text, seq integer, statement json, signature json, actor text, person text, key_id text,
                 brain_id uuid, request_id text, before_hash text, details jsonb)
       ), added as (
         insert into intervention_votes (intervention_id, seq, job_id, statement, signature)
         select intervention_id, seq, $1, statement, signature from sent order by intervention_id, seq
       )
       insert into audit_log (actor, person, key_id, action, target, brain_id, request_id, before_hash, details)
       select actor, person, key_id, 'intervention.answer', intervention_id, brain_id, request_id, before_hash, details
         from sent order by intervention_id, seq`,
      [jobId, toStorableJson(rows)],
    ),
    tx.query(
      `insert into vote_texts (intervention_id, seq, job_id, texts, salts)
       select intervention_id, seq, $1, texts, salts
         from json_to_recordset($2::json) as text (intervention_id text, seq integer, texts json, salts json)`,
      [jobId, toStorableJson(texts)],
    ),
  ])
}

/** Lists interventions that have votes, after an id. */
export async function listVotedInterventions(tx: Tx, after: string, limit: number): Promise<string[]> {
  const found = await tx.query<{ id: string }[]>(
    `select distinct intervention_id as id from intervention_votes where intervention_id > $1 order by 1 limit $2`,
    [after, limit],
  )
  return found.map(({ id }) => id)
}

/** Returns an audit entry about a vote that is gone before its time. */
export async function findLostVote(tx: Tx): Promise<{ intervention_id: string; audit_id: number } | undefined> {
  const [found] = await tx.query<{ intervention_id: string; audit_id: number }[]>(
    `select entry.target as intervention_id, entry.id as audit_id
       from audit_log entry join workspaces on workspaces.id = entry.workspace_id
      where action = 'intervention.answer'
        and (evidence_days is null or at >= now() - make_interval(days => evidence_days))
        and not exists (select from intervention_votes vote
                         where vote.intervention_id = entry.target and vote.seq = (entry.details ->> 'seq')::integer)
      order by entry.id limit 1`,
  )
  return found
}

/** Sets how many days votes are kept after their run is gone. Null: without end. */
export async function setEvidenceDays(tx: Tx, workspaceId: string, days: number | null): Promise<void> {
  await tx.query('update workspaces set evidence_days = $2 where id = $1', [workspaceId, days])
}

/** Removes votes whose run is gone and whose time is over. The database keeps those of the last year in any case. */
export async function expireVotes(tx: Tx, limit: number): Promise<number> {
  const [found] = await tx.query<{ removed: number }[]>('select expire_votes($1)::integer as removed', [limit])
  return found?.removed ?? 0
}

/** The votes of an intervention as a run takes them, from its statements and texts. */
export const VOTES = `(
  select coalesce(json_agg((statement -> 'vote')::jsonb || coalesce(texts::jsonb, '{}') order by vote.seq), '[]')
    from intervention_votes vote left join vote_texts using (workspace_id, intervention_id, seq)
   where vote.intervention_id = interventions.id)`
