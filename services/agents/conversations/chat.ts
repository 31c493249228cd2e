import type { Database } from '../../../data/shared/database.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { inContext } from '../../access/brains.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { OpenedReceptor, ReceptorsService } from '../receptors.ts'
import { getTrace } from './traces.ts'
import type { RunAccepted, TaskOptions } from '../../../contract/agents/conversation.ts'
import type { ConversationTarget, Conversations, MessageInput } from './conversations.ts'

export interface ChatMessage {
  message: string
  files?: string[]
  /** Default: the thread's target. */
  neuron?: string
  receptor?: string
  pathway?: string
  options?: TaskOptions
  writeMore?: MessageInput['writeMore']
}

/** Pass this id to open a new thread with a generated id. */
export const NEW_TRACE = 'new'

/**
 * Sends a message. If the message names a target and no thread has the id, opens a new thread. Throws NotFound if the
 * thread or target does not exist, and ValidationError for a new thread without a target.
 */
export type Chat = (
  principal: Principal,
  traceId: string,
  message: ChatMessage,
  idempotency?: Idempotency,
) => Promise<RunAccepted>

interface Deps {
  db: Database
  conversations: Conversations
  receptors: Pick<ReceptorsService, 'open'>
}

type ResolvedTarget = Pick<OpenedReceptor, 'target' | 'principal'> & Partial<Pick<OpenedReceptor, 'receptor_id'>>

/** Handles messages to threads. The message's target takes precedence over the thread's target. */
export function createChat({ db, conversations, receptors }: Deps): Chat {
  async function resolveTarget(principal: Principal, traceId: string, message: ChatMessage): Promise<ResolvedTarget> {
    const direct = (target: ConversationTarget) => ({ principal, target })
    const { neuron, receptor, pathway } = message
    if (neuron !== undefined) return direct({ type: 'neuron', ref: neuron })
    if (pathway !== undefined) return direct({ type: 'pathway', ref: pathway })
    if (receptor !== undefined) return receptors.open(principal, receptor)
    if (traceId === NEW_TRACE) throw targetError('is required to create a thread')
    const { target } = await db.inWorkspace(principal.workspace_id, tx => getTrace(tx, principal, traceId))
    if (!target) throw targetError('is required: the thread has no target')
    if (target.type === 'receptor') return receptors.open(principal, target.id)
    return direct({ type: target.type, ref: target.id })
  }

  return async (caller, traceId, chatMessage, idempotency) => {
    const { principal, target, receptor_id } = await resolveTarget(inContext(caller), traceId, chatMessage)
    const input = {
      messages: [{ role: 'user' as const, content: chatMessage.message }],
      trace_id: traceId === NEW_TRACE ? undefined : traceId.toLowerCase(),
      may_open: namesTarget(chatMessage),
      files: chatMessage.files,
      receptor_id,
      options: chatMessage.options,
      writeMore: chatMessage.writeMore,
    }
    return conversations.sendMessage(principal, target, input, idempotency)
  }
}

/** Returns whether the message names a target. Without a target, the thread must already exist. */
const namesTarget = ({ neuron, receptor, pathway }: ChatMessage): boolean =>
  [neuron, receptor, pathway].some(name => name !== undefined)

const targetError = (why: string) =>
  new ValidationError(`One of neuron, receptor or pathway ${why}`, [{ pointer: '/neuron', message: why }])
