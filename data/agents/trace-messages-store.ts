import type { TraceMessage } from '../../domain/agents/messages.ts'
import type { TraceTurn } from '../../domain/agents/run-spec.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { list, listTypes, omit, type Row, text } from '../shared/table.ts'
import { traceMessagesTable } from './tables.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { UUID_PATTERN } from '../../domain/shared/uuid.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'

export type NewTraceMessage = TraceTurn &
  Pick<TraceMessage, 'position' | 'job_id'> & { role: TraceMessage['role']; content: object }

const NEW_MESSAGE = omit(traceMessagesTable, 'workspace_id', 'at')
const MESSAGE = omit(traceMessagesTable, 'workspace_id', 'trace_id')

/** The role of a message determines the type of its content. */
const toMessage = (row: Row<typeof MESSAGE>): TraceMessage => row as TraceMessage

/** Inserts messages. A message that already exists at a position is kept. */
export async function saveMessages(tx: Tx, messages: NewTraceMessage[]): Promise<void> {
  if (messages.length === 0) return
  await execute(
    tx,
    `insert into trace_messages (${list(NEW_MESSAGE)})
     select ${list(NEW_MESSAGE)} from json_to_recordset($1::json) as new (${listTypes(NEW_MESSAGE)})
     on conflict (trace_id, turn, position) do nothing`,
    [toStorableJson(messages)],
  )
}

export async function findMessage(
  tx: Tx,
  { trace_id, turn, position }: TraceTurn & { position: number },
): Promise<TraceMessage | undefined> {
  const message = await selectOne(
    tx,
    MESSAGE,
    `select ${list(MESSAGE)} from trace_messages where trace_id = $1 and turn = $2 and position = $3`,
    [trace_id, turn, position],
  )
  return message && toMessage(message)
}

/** Lists the messages of a turn, preceded by up to `earlier` messages from previous turns, oldest first. */
export async function listConversation(
  tx: Tx,
  { trace_id, turn }: TraceTurn,
  earlier: number,
): Promise<TraceMessage[]> {
  const rows = await select(
    tx,
    MESSAGE,
    `select ${list(MESSAGE)} from (
       (select ${list(MESSAGE)} from trace_messages where trace_id = $1 and turn < $2
         order by turn desc, position desc limit $3)
       union all
       (select ${list(MESSAGE)} from trace_messages where trace_id = $1 and turn = $2)
     ) said order by turn, position`,
    [trace_id, turn, earlier],
  )
  return rows.map(toMessage)
}

/**
 * Returns a page of messages, oldest first. With `only_said`, returns only messages with text from a person or the
 * model.
 */
export async function listMessages(
  tx: Tx,
  traceId: string,
  { only_said, ...page }: { limit: number; offset: number; only_said?: boolean },
): Promise<Page<TraceMessage>> {
  const conditions = createFilter()
  conditions.where('trace_id = ?', traceId)
  if (only_said) conditions.add(`role <> 'tool' and content ->> 'text' ~ '\\S'`)
  const query = { columns: MESSAGE, from: 'trace_messages', order: 'turn, position', ...page }
  const { rows, total } = await readPage(tx, query, conditions)
  return { rows: rows.map(toMessage), total }
}

/** Lists the UUIDs in a thread's messages. */
export async function listMentionedIds(tx: Tx, traceId: string): Promise<string[]> {
  const rows = await select(
    tx,
    { id: text() },
    `select distinct lower(match[1]) as id from trace_messages, regexp_matches(content::text, $2, 'gi') match
      where trace_id = $1`,
    [traceId, UUID_PATTERN],
  )
  return rows.map(({ id }) => id)
}
