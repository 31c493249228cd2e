import { toAnswer } from '../../../domain/agents/answers.ts'
import type { StartPathwayDeps } from '../../runs/start/start-pathway.ts'
import type { JobsService } from '../../runs/jobs.ts'
import type { WaitForResult } from '../../runs/wait-for-result.ts'
import { createStartNeuron } from '../neurons/start-neuron.ts'
import { createStartPathwayTurn } from './pathway-turn.ts'
import type { Answer, Conversations } from './types.ts'

interface Deps extends StartPathwayDeps {
  jobs: Pick<JobsService, 'status'>
  waitForResult: WaitForResult
}

/** Every message to a neuron or a pathway goes through this service. */
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
      const answer = kind === 'neuron' ? (result as unknown as Answer) : toAnswer(result)
      return { ...answer, trace_id, usage, job_id }
    },
  }
}
