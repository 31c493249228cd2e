import type { Tx } from '../../../data/shared/database.ts'
import { parseAnswer } from '../../../domain/agents/answers.ts'
import type { StartPathwayDeps } from '../../runs/start/start-pathway.ts'
import type { JobsService } from '../../runs/jobs.ts'
import type { WaitForResult } from '../../runs/wait-for-result.ts'
import { createStartNeuron } from '../neurons/start-neuron.ts'
import { createStartPathwayTurn } from './pathway-turn.ts'
import type { Answer, ChatMessage, TaskOptions, RunAccepted, OpenRun } from '../../../contract/agents/conversation.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Idempotency } from '../../shared/idempotency.ts'

/** The messages to send to a thread. */
export interface MessageInput {
  messages: ChatMessage[]
  /** Ids of the files that belong to the last message. */
  files?: string[]
  /** Default: the id of a new thread. */
  trace_id?: string
  /** Whether an unknown `trace_id` may open a new thread. */
  may_open?: boolean
  receptor_id?: string
  options?: TaskOptions
  /** Writes additional rows in the transaction that accepts new messages. If it throws, nothing is accepted. */
  writeMore?: (tx: Tx) => Promise<void>
}

/** A neuron or a pathway, by id or slug, with an optional `@version`. */
export interface ConversationTarget {
  type: 'neuron' | 'pathway'
  ref: string
}

export interface Conversations {
  /**
   * Writes the messages, the thread's turn and the job in one transaction. A thread's messages are answered in order.
   * Throws NotFound for an unknown target or thread, Conflict for an inactive target, and ValidationError for
   * messages that the target does not accept.
   */
  sendMessage(
    principal: Principal,
    target: ConversationTarget,
    input: MessageInput,
    idempotency?: Idempotency,
  ): Promise<RunAccepted>
  /**
   * Resolves with the answer, or with the run's state if the run takes too long or is waiting for a person. Throws
   * RunFailed.
   */
  answer(principal: Principal, accepted: RunAccepted, signal?: AbortSignal): Promise<Answer | OpenRun>
}

interface Deps extends StartPathwayDeps {
  jobs: Pick<JobsService, 'status'>
  waitForResult: WaitForResult
}

/** Handles every message to a neuron or pathway. */
export function createConversations({ jobStarter, jobs, waitForResult, evaluator }: Deps): Conversations {
  const startNeuron = createStartNeuron(jobStarter)
  const startPathway = createStartPathwayTurn({ jobStarter, evaluator })

  return {
    sendMessage: (principal, { type, ref }, input, idempotency) =>
      type === 'neuron'
        ? startNeuron(principal, { ...input, neuron: ref }, idempotency)
        : startPathway(principal, ref, input, idempotency),

    async answer(principal, { job_id, trace_id }, signal) {
      const { status, usage, result, kind } = await waitForResult(principal, job_id, signal)
      if (status !== 'completed') {
        const { waitingFor } = await jobs.status(principal, job_id)
        return { job_id, trace_id, status, ...(waitingFor && { waitingFor }) }
      }
      const answer = kind === 'neuron' ? (result as unknown as Answer) : parseAnswer(result)
      return { ...answer, trace_id, usage, job_id }
    },
  }
}
