import type { Tx } from '../shared/database.ts'
import { credentialsTable, workspacesTable } from '../access/tables.ts'
import { auditLogTable } from '../audit/tables.ts'
import { execute, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { computed, integer, list, listTypes, nullable, pick, text, type Row } from '../shared/table.ts'
import { interventionVotesTable, voteTextsTable } from './tables.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** Formats a time as in vote statements and the audit log. */
const formatTimeSql = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const VOTE = {
  ...pick(interventionVotesTable, 'intervention_id', 'seq', 'statement', 'signature'),
  /** The time of recording, from the database clock. */
  recorded_at: computed(text(), formatTimeSql('recorded_at')),
}
/** A recorded vote. */
export type StoredVote = Row<typeof VOTE>

const TEXTS = pick(voteTextsTable, 'intervention_id', 'seq', 'texts', 'salts')
/** The texts of a vote, until they are removed. Number 0 has the salts for the content shown to all voters. */
export type VoteTexts = Row<typeof TEXTS>

const NOW = { now: computed(text(), formatTimeSql('now()')) }

/** Returns the transaction time. The database writes the same time to rows inserted in this transaction. */
export async function readTransactionTime(tx: Tx): Promise<string> {
  const row = await selectOne(tx, NOW, `select ${list(NOW)}`)
  return requireRow(row).now
}

/** Lists the votes on these interventions in the order in which they were counted. */
export async function listVotes(tx: Tx, interventionIds: string[]): Promise<StoredVote[]> {
  return select(
    tx,
    VOTE,
    `select ${list(VOTE)} from intervention_votes
      where intervention_id = any($1) order by intervention_id, seq`,
    [interventionIds],
  )
}

export async function listVoteTexts(tx: Tx, interventionIds: string[]): Promise<VoteTexts[]> {
  return select(
    tx,
    TEXTS,
    `select ${list(TEXTS)} from vote_texts where intervention_id = any($1) order by intervention_id, seq`,
    [interventionIds],
  )
}

const VOTE_CREDENTIAL = {
  ...pick(credentialsTable, 'kind'),
  created_by: computed(nullable(text()), `to_json(credentials) ->> 'created_by'`),
}

/** Returns the kind and the creator of a credential, or undefined if the credential is not stored. */
export async function findVoteCredential(tx: Tx, id: string): Promise<Row<typeof VOTE_CREDENTIAL> | undefined> {
  if (!isUuid(id)) return undefined
  return selectOne(tx, VOTE_CREDENTIAL, `select ${list(VOTE_CREDENTIAL)} from credentials where id = $1`, [id])
}

export type NewVote = Pick<StoredVote, 'statement' | 'signature'> & { statement_hash: string }

/** A vote to insert, with the audit entry for it. */
const SENT_VOTE = {
  ...pick(interventionVotesTable, 'intervention_id', 'seq', 'statement', 'signature'),
  ...pick(auditLogTable, 'actor', 'person', 'key_id', 'brain_id', 'request_id', 'before_hash', 'details'),
}

/** Inserts votes with their audit entries and texts. */
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
    execute(
      tx,
      `with sent as (
         select * from json_to_recordset($2::json) as vote
                (${listTypes(SENT_VOTE)})
       ), added as (
         insert into intervention_votes (intervention_id, seq, job_id, statement, signature)
         select intervention_id, seq, $1, statement, signature from sent order by intervention_id, seq
       )
       insert into audit_log (actor, person, key_id, action, target, brain_id, request_id, before_hash, details)
       select actor, person, key_id, 'intervention.answer', intervention_id, brain_id, request_id, before_hash, details
         from sent order by intervention_id, seq`,
      [jobId, toStorableJson(rows)],
    ),
    execute(
      tx,
      `insert into vote_texts (intervention_id, seq, job_id, texts, salts)
       select intervention_id, seq, $1, texts, salts
         from json_to_recordset($2::json) as text (${listTypes(TEXTS)})`,
      [jobId, toStorableJson(texts)],
    ),
  ])
}

/** Lists up to `limit` interventions that have votes, in order of id, after the given id. */
export async function listVotedInterventions(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await select(
    tx,
    { id: text() },
    `select distinct intervention_id as id from intervention_votes where intervention_id > $1 order by 1 limit $2`,
    [after, limit],
  )
  return rows.map(({ id }) => id)
}

const LOST_VOTE = {
  intervention_id: computed(auditLogTable.columns.target, 'entry.target'),
  audit_id: computed(auditLogTable.columns.id, 'entry.id'),
}

/** Returns the audit entry for a vote that was removed before it expired, if there is one. */
export async function findLostVote(tx: Tx): Promise<Row<typeof LOST_VOTE> | undefined> {
  return selectOne(
    tx,
    LOST_VOTE,
    `select ${list(LOST_VOTE)}
       from audit_log entry join workspaces on workspaces.id = entry.workspace_id
      where action = 'intervention.answer'
        and (evidence_days is null or at >= now() - make_interval(days => evidence_days))
        and not exists (select from intervention_votes vote
                         where vote.intervention_id = entry.target and vote.seq = (entry.details ->> 'seq')::integer)
      order by entry.id limit 1`,
  )
}

/** Sets how many days votes are kept after their run is removed. Null keeps them forever. */
export async function setEvidenceDays(tx: Tx, workspaceId: string, days: number | null): Promise<void> {
  await update(tx, workspacesTable, { evidence_days: days }, 'id = $1', [workspaceId])
}

/** Removes expired votes whose run was removed. The database never removes votes from the last year. */
export async function expireVotes(tx: Tx, limit: number): Promise<number> {
  const row = await selectOne(tx, { removed: integer() }, 'select expire_votes($1)::integer as removed', [limit])
  return row?.removed ?? 0
}

/** SQL for the votes on an intervention, in the form that a run expects. Built from vote statements and texts. */
export const VOTES = `(
  select coalesce(json_agg((statement -> 'vote')::jsonb || coalesce(texts::jsonb, '{}') order by vote.seq), '[]')
    from intervention_votes vote left join vote_texts using (workspace_id, intervention_id, seq)
   where vote.intervention_id = interventions.id)`
