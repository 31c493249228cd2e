import { toAnswer } from '../../domain/neurons/answers.ts'
import type { StartPathwayDeps } from '../jobs/start-pathway.ts'
import type { WaitForResult } from '../jobs/wait-for-result.ts'
import { createStartNeuron } from '../neurons/start-neuron.ts'
import { createStartPathwayTurn } from './pathway-turn.ts'
import type { Answer, Conversations } from './types.ts'

interface Deps extends StartPathwayDeps {
  waitForResult: WaitForResult
}

/** Every message to a neuron or a pathway goes through this service. */
export function createConversations({ jobStarter, waitForResult, evaluator }: Deps): Conversations {
  const startNeuron = createStartNeuron(jobStarter)
  const startPathway = createStartPathwayTurn({ jobStarter, evaluator })

  return {
    sendMessage: (principal, { type, ref }, input, idempotency) =>
      type === 'neuron'
        ? startNeuron(principal, { ...input, neuron: ref }, idempotency)
        : startPathway(principal, ref, input, idempotency),

    async answer(principal, { job_id, trace_id }, signal) {
      const row = await waitForResult(principal, job_id, signal)
      if (!row) return undefined
      const { usage, result, kind } = row
      const answer = kind === 'neuron' ? (result as unknown as Answer) : toAnswer(result)
      return { ...answer, trace_id, usage, job_id }
    },
  }
}
