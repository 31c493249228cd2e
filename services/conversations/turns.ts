import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../data/database.ts'
import { saveMessages } from '../../data/trace-messages-store.ts'
import { findTrace, insertTrace, takeTurn, type TraceTarget } from '../../data/traces-store.ts'
import { NotFound, ValidationError } from '../../domain/errors.ts'
import { MOST_USER_MESSAGES, userPosition } from '../../domain/neurons/messages.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import { mayTouch } from '../jobs/find.ts'
import type { Speech } from './types.ts'

const LONGEST_TITLE = 80

/**
 * Takes the next turn of the thread, or the first of a new one, and writes down what was said. A thread whose turns are
 * taken by two at once gives them one after the other. Throws NotFound, ValidationError.
 */
export async function openTurn(
  tx: Tx,
  who: Principal,
  jobId: string,
  speech: Speech,
  target: TraceTarget,
): Promise<TraceTurn> {
  const { messages } = speech
  if (messages.length > MOST_USER_MESSAGES)
    throw new ValidationError(`At most ${MOST_USER_MESSAGES} messages can be sent at once`)
  const trace =
    speech.trace_id === undefined ? await newTrace(tx, who, speech, target) : await next(tx, who, speech.trace_id)
  await saveMessages(
    tx,
    messages.map(({ role, content }, i) => ({
      trace_id: trace.trace_id,
      turn: trace.turn,
      position: userPosition(i),
      job_id: jobId,
      role,
      content: { text: content },
    })),
  )
  return trace
}

async function newTrace(tx: Tx, who: Principal, speech: Speech, target: TraceTarget): Promise<TraceTurn> {
  const id = randomUUIDv7()
  const said = speech.messages.at(-1)?.content ?? ''
  const title = said.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)
  const trace_type = speech.options?.trace_type ?? 'user'
  await insertTrace(tx, { id, brain_id: who.brain_id ?? null, trace_type, title, actor: who.actor, target })
  return { trace_id: id, turn: 1 }
}

async function next(tx: Tx, who: Principal, trace_id: string): Promise<TraceTurn> {
  const trace = await findTrace(tx, trace_id)
  const turn = trace && mayTouch(who, trace.brain_id) ? await takeTurn(tx, trace_id) : undefined
  if (turn === undefined) throw new NotFound('Trace')
  return { trace_id, turn }
}

/** Where a job that was accepted before speaks. */
export function turnOf({ trace_id, turn }: { trace_id: string | null; turn: number | null }): TraceTurn {
  if (trace_id === null || turn === null) throw new NotFound('Trace')
  return { trace_id, turn }
}
