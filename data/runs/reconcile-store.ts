import type { Tx } from '../shared/database.ts'
import { selectAsPublisher } from '../webhooks/event-outbox-store.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { boolean, computed, list, nullable, pick, time, type Row } from '../shared/table.ts'
import { auditLogTable } from '../audit/tables.ts'
import { channelMessagesTable } from '../channels/tables.ts'
import { interventionVotesTable, voteTextsTable } from '../people/tables.ts'
import { eventOutboxTable, webhookDeliveriesTable, webhooksTable } from '../webhooks/tables.ts'
import { jobNodesTable } from './tables.ts'

/** Queries for the comparison of Postgres with Temporal after a restore. */

const NODE_STATE = {
  ...pick(jobNodesTable, 'job_id', 'key', 'node_id', 'node_type', 'status', 'sent'),
  /** Whether a fork took the node over from another run. */
  is_inherited: computed(boolean(), '(origin_job_id is not null or coalesce(is_given, false))'),
}
export type NodeState = Row<typeof NODE_STATE>

/** Lists the nodes of jobs, without their inputs and outputs. */
export async function listNodeStates(tx: Tx, jobIds: string[]): Promise<NodeState[]> {
  return select(tx, NODE_STATE, `select ${list(NODE_STATE)} from job_nodes where job_id = any($1)`, [jobIds])
}

const JOB_VOTE = {
  ...pick(interventionVotesTable, 'job_id', 'intervention_id', 'statement'),
  texts: computed(voteTextsTable.columns.texts, 'vote_texts.texts'),
}
/** A recorded vote with its texts. `texts` is null if a purge removed the texts. */
export type JobVote = Row<typeof JOB_VOTE>

/** Lists the votes in jobs, in the order in which they were counted. */
export async function listJobVotes(tx: Tx, jobIds: string[]): Promise<JobVote[]> {
  return select(
    tx,
    JOB_VOTE,
    `select intervention_votes.job_id, intervention_votes.intervention_id, statement, vote_texts.texts as texts
       from intervention_votes left join vote_texts using (workspace_id, intervention_id, seq)
      where intervention_votes.job_id = any($1) order by intervention_votes.intervention_id, seq`,
    [jobIds],
  )
}

const PENDING_DELIVERY = {
  ...pick(webhookDeliveriesTable, 'id', 'webhook_id', 'event_id', 'attempts', 'start_due_at'),
  ...pick(webhooksTable, 'url', 'brain_id'),
}
/** A webhook delivery that has not ended. */
export type PendingDelivery = Row<typeof PENDING_DELIVERY>

/** Lists up to `limit` pending webhook deliveries in order of id, after the given id. */
export async function listPendingDeliveries(
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<PendingDelivery[]> {
  return select(
    tx,
    PENDING_DELIVERY,
    `select ${list(pick(webhookDeliveriesTable, 'id', 'webhook_id', 'event_id', 'attempts', 'start_due_at'), 'delivery')},
            ${list(pick(webhooksTable, 'url', 'brain_id'), 'webhook')}
       from webhook_deliveries delivery join webhooks webhook on webhook.id = delivery.webhook_id
      where delivery.status = 'pending' and ($1 = '' or delivery.id > nullif($1, '')::uuid)
      order by delivery.id limit $2`,
    [after, limit],
  )
}

export async function isPendingDelivery(tx: Tx, id: string): Promise<boolean> {
  const columns = pick(webhookDeliveriesTable, 'status')
  const row = await selectOne(tx, columns, `select ${list(columns)} from webhook_deliveries where id = $1`, [id])
  return row?.status === 'pending'
}

/** Makes a pending delivery due, so that a worker starts its workflow again. */
export async function restartDelivery(tx: Tx, id: string): Promise<void> {
  await execute(tx, `update webhook_deliveries set start_due_at = now() where id = $1 and status = 'pending'`, [id])
}

const STARTED_MESSAGE = pick(channelMessagesTable, 'id', 'channel_id')
/** A message in a channel, which its workflow is showing. */
export type StartedMessage = Row<typeof STARTED_MESSAGE>

/** A message that waits for its run has no attempts, and a message that is due has a time. */
const IS_STARTED = `status in ('pending', 'sent') and attempts > 0 and start_due_at is null`

/** Lists up to `limit` messages that workflows are showing, in order of id, after the given id. */
export async function listStartedMessages(
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<StartedMessage[]> {
  return select(
    tx,
    STARTED_MESSAGE,
    `select ${list(STARTED_MESSAGE)} from channel_messages
      where ${IS_STARTED} and ($1 = '' or id > nullif($1, '')::uuid) order by id limit $2`,
    [after, limit],
  )
}

export async function isStartedMessage(tx: Tx, id: string): Promise<boolean> {
  const columns = pick(channelMessagesTable, 'id')
  const query = `select ${list(columns)} from channel_messages where id = $1 and ${IS_STARTED}`
  return (await selectOne(tx, columns, query, [id])) !== undefined
}

/** Makes a message due, so that a worker starts its workflow again. */
export async function restartMessage(tx: Tx, id: string): Promise<void> {
  await execute(tx, `update channel_messages set start_due_at = now() where id = $1 and ${IS_STARTED}`, [id])
}

const UNPUBLISHED = pick(eventOutboxTable, 'workspace_id', 'event_id', 'type')

/** Lists the oldest unpublished events in all workspaces with webhooks. */
export async function listUnpublishedEvents(tx: Tx, limit: number): Promise<Row<typeof UNPUBLISHED>[]> {
  return selectAsPublisher(
    tx,
    UNPUBLISHED,
    `select ${list(UNPUBLISHED)} from event_outbox event
        where exists (select from webhooks where webhooks.workspace_id = event.workspace_id and disabled_at is null)
        order by id limit $1`,
    [limit],
  )
}

const LATEST = { at: computed(nullable(time()), `max(${auditLogTable.name}.at)`) }

/** Returns the time of the workspace's latest audit entry. */
export async function findLatestEntry(tx: Tx): Promise<string | null> {
  return (await selectOne(tx, LATEST, 'select max(at) as at from audit_log'))?.at ?? null
}
