import type { Database } from '../../data/database.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { ReceptorsService } from '../receptors/receptors.ts'
import { requireTrace } from './traces.ts'
import type { Accepted, Answering, Conversations, TaskOptions } from './types.ts'

export interface ChatMessage {
  message: string
  /** What is to answer; left out, what answered in the thread before. */
  neuron?: string
  receptor?: string
  pathway?: string
  options?: TaskOptions
}

/** The id under which a message opens a thread. */
export const NEW_TRACE = 'new'

/** Throws NotFound for a thread or target that is not there, ValidationError for a new thread without a target. */
export type Chat = (
  principal: Principal,
  traceId: string,
  said: ChatMessage,
  idempotency?: Idempotency,
) => Promise<Accepted>

interface Deps {
  db: Database
  conversations: Conversations
  receptors: Pick<ReceptorsService, 'target'>
}

/** Messages in threads: each is answered by what it names, or by what the thread was opened with. */
export function createChat({ db, conversations, receptors }: Deps): Chat {
  async function targetOf(principal: Principal, traceId: string, said: ChatMessage) {
    const { neuron, receptor, pathway } = said
    if (neuron !== undefined) return { target: { type: 'neuron', ref: neuron } satisfies Answering }
    if (pathway !== undefined) return { target: { type: 'pathway', ref: pathway } satisfies Answering }
    if (receptor !== undefined) return receptors.target(principal, receptor)
    if (traceId === NEW_TRACE) throw noTarget('is required to create a thread')
    const { target } = await db.inWorkspace(principal.workspace_id, tx => requireTrace(tx, principal, traceId))
    if (!target) throw noTarget('is required: the thread has none')
    if (target.type === 'receptor') return receptors.target(principal, target.id)
    return { target: { type: target.type, ref: target.id } satisfies Answering }
  }

  return async (principal, traceId, said, idempotency) => {
    const found = await targetOf(principal, traceId, said)
    const receptor_id = 'receptor_id' in found ? found.receptor_id : undefined
    const speech = {
      messages: [{ role: 'user' as const, content: said.message }],
      trace_id: traceId === NEW_TRACE ? undefined : traceId,
      receptor_id,
      options: said.options,
    }
    return conversations.speak(principal, found.target, speech, idempotency)
  }
}

const noTarget = (why: string) =>
  new ValidationError(`One of neuron, receptor and pathway ${why}`, [{ pointer: '/neuron', message: why }])
