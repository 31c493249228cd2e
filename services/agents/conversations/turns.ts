import { randomUUIDv7 } from 'node:crypto'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { saveMessages } from '../../../data/agents/trace-messages-store.ts'
import {
  findTrace,
  insertTrace,
  takeTurn,
  type TraceRecord,
  type TraceTarget,
} from '../../../data/agents/traces-store.ts'
import { NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { buildLabelField } from '../../../domain/pathways/labels/labels.ts'
import { MAX_USER_MESSAGES, userPosition } from '../../../domain/agents/messages.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { cleanTitle } from '../../../domain/shared/text/title.ts'
import { canReadBrain, checkWritable, contextBrain } from '../../access/brains.ts'
import { attachFiles, toFileRef } from '../../documents/files.ts'
import { queueChatMessages } from '../../triggers/events/queue-messages.ts'
import type { MessageInput } from './conversations.ts'

const MAX_TITLE_CHARS = 80

/**
 * Takes a thread's next turn, or a new thread's first turn, and stores the messages with their files. Concurrent
 * requests get consecutive turns. Throws NotFound. Throws ValidationError for too many messages, a different thread
 * type, or a file that the principal may not use.
 */
export async function beginTurn(
  tx: Tx,
  principal: Principal,
  jobId: string,
  input: MessageInput,
  target: TraceTarget,
): Promise<TraceTurn> {
  const { messages, files: ids = [] } = input
  if (messages.length > MAX_USER_MESSAGES)
    throw new ValidationError(`You can send at most ${MAX_USER_MESSAGES} messages at once`)
  const trace = await takeTurnOf(tx, principal, input, target)
  const owner = { trace_id: trace.trace_id }
  const files = await attachFiles(tx, principal, { ids, owner, at: ids.map((_, i) => `/files/${i}`) })
  const rows = messages.map(({ role, content }, i) => ({
    trace_id: trace.trace_id,
    turn: trace.turn,
    position: userPosition(i),
    job_id: jobId,
    role,
    content: {
      text: content,
      ...(i === messages.length - 1 && files.length > 0 && { files: files.map(toFileRef) }),
      ...buildLabelField(principal.labels ?? []),
    },
  }))
  await Promise.all([
    saveMessages(tx, rows),
    queueChatMessages(tx, principal, { ...trace, job_id: jobId, receptor_id: input.receptor_id, messages }),
  ])
  await input.writeMore?.(tx)
  return trace
}

/** Opens a thread, or takes an existing thread's next turn. */
async function takeTurnOf(tx: Tx, principal: Principal, input: MessageInput, target: TraceTarget): Promise<TraceTurn> {
  const { trace_id, may_open = false } = input
  const mayBeNew = trace_id === undefined || (may_open && !(await findTrace(tx, trace_id)))
  const id = trace_id ?? randomUUIDv7()
  // Another request may have opened this thread in the meantime, or another workspace may have a thread with this id.
  if (mayBeNew && (await insertNewTrace(tx, principal, id, input, target))) return { trace_id: id, turn: 1 }
  return takeNextTurn(tx, principal, id, input)
}

/** Returns false if a thread with this id exists. */
async function insertNewTrace(
  tx: Tx,
  principal: Principal,
  id: string,
  input: MessageInput,
  target: TraceTarget,
): Promise<boolean> {
  const text = input.messages.at(-1)?.content ?? ''
  const title = cleanTitle(text, MAX_TITLE_CHARS)
  const trace_type = input.options?.trace_type ?? 'user'
  const brain_id = contextBrain(principal)
  const trace = { id, brain_id, trace_type, title, actor: principal.actor, target }
  if (!(await insertTrace(tx, trace))) return false
  await writeAudit(tx, principal, { action: 'trace.create', target: id, brain_id, after: trace })
  return true
}

async function takeNextTurn(
  tx: Tx,
  principal: Principal,
  trace_id: string,
  { options }: MessageInput,
): Promise<TraceTurn> {
  const trace = await findTrace(tx, trace_id)
  if (!trace || !canReadBrain(principal, trace.brain_id)) throw new NotFound('Trace')
  checkWritable(principal, trace.brain_id)
  checkTraceType(trace, options?.trace_type)
  const turn = await takeTurn(tx, trace_id)
  if (turn === undefined) throw new NotFound('Trace')
  return { trace_id, turn }
}

/** A thread's type cannot change. Throws ValidationError if a message requests a different type. */
function checkTraceType({ trace_type }: Pick<TraceRecord, 'trace_type'>, expectedType = trace_type): void {
  if (expectedType === trace_type) return
  const message = `must be absent or ${trace_type}, the thread's type`
  throw new ValidationError('The type of a thread cannot change', [
    { pointer: '/neuron_task_options/trace_type', message },
  ])
}

/** Returns an existing job's turn. */
export function requireTurn({ trace_id, turn }: { trace_id: string | null; turn: number | null }): TraceTurn {
  if (trace_id === null || turn === null) throw new NotFound('Trace')
  return { trace_id, turn }
}
