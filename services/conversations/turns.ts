import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../data/database.ts'
import { saveMessages } from '../../data/trace-messages-store.ts'
import { findTrace, insertTrace, takeTurn, type TraceTarget } from '../../data/traces-store.ts'
import { NotFound, ValidationError } from '../../domain/errors.ts'
import { MAX_USER_MESSAGES, userPosition } from '../../domain/neurons/messages.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import { mayTouch } from '../jobs/find.ts'
import type { Speech } from './types.ts'

const MAX_TITLE_CHARS = 80

/**
 * Takes the next turn of the thread, or the first of a new one, and writes down what was said. A thread whose turns are
 * taken by two at once gives them one after the other. Throws NotFound, ValidationError.
 */
export async function openTurn(
  tx: Tx,
  principal: Principal,
  jobId: string,
  speech: Speech,
  target: TraceTarget,
): Promise<TraceTurn> {
  const { messages } = speech
  if (messages.length > MAX_USER_MESSAGES)
    throw new ValidationError(`At most ${MAX_USER_MESSAGES} messages can be sent at once`)
  const { trace_id } = speech
  const trace = trace_id === undefined ? firstTurn() : await next(tx, principal, trace_id)
  const said = messages.map(({ role, content }, i) => ({
    trace_id: trace.trace_id,
    turn: trace.turn,
    position: userPosition(i),
    job_id: jobId,
    role,
    content: { text: content },
  }))
  await Promise.all([
    trace_id === undefined && openTrace(tx, principal, trace.trace_id, speech, target),
    saveMessages(tx, said),
  ])
  return trace
}

const firstTurn = (): TraceTurn => ({ trace_id: randomUUIDv7(), turn: 1 })

async function openTrace(tx: Tx, principal: Principal, id: string, speech: Speech, target: TraceTarget): Promise<void> {
  const said = speech.messages.at(-1)?.content ?? ''
  const title = said.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS)
  const trace_type = speech.options?.trace_type ?? 'user'
  await insertTrace(tx, { id, brain_id: principal.brain_id ?? null, trace_type, title, actor: principal.actor, target })
}

async function next(tx: Tx, principal: Principal, trace_id: string): Promise<TraceTurn> {
  const trace = await findTrace(tx, trace_id)
  const turn = trace && mayTouch(principal, trace.brain_id) ? await takeTurn(tx, trace_id) : undefined
  if (turn === undefined) throw new NotFound('Trace')
  return { trace_id, turn }
}

/** Where a job that was accepted before speaks. */
export function turnOf({ trace_id, turn }: { trace_id: string | null; turn: number | null }): TraceTurn {
  if (trace_id === null || turn === null) throw new NotFound('Trace')
  return { trace_id, turn }
}
