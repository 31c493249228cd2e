import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/database.ts'
import { answerOf } from '../../domain/neurons/answers.ts'
import type { Launcher } from '../jobs/launch.ts'
import type { WaitForResult } from '../jobs/waiting.ts'
import { createStart } from '../neurons/start.ts'
import { createPathwayTurn } from './pathway-turn.ts'
import type { Answer, Conversations } from './types.ts'

interface Deps {
  db: Database
  launcher: Launcher
  waitForResult: WaitForResult
  config: Pick<Config, 'IDEMPOTENCY_HOURS'>
}

/** Whoever speaks to a neuron or a pathway, by whatever door, speaks through this. */
export function createConversations({ db, launcher, waitForResult, config }: Deps): Conversations {
  const deps = { db, launcher, idempotencyHours: config.IDEMPOTENCY_HOURS }
  const startNeuron = createStart(deps)
  const startPathway = createPathwayTurn(deps)

  return {
    speak: (principal, { type, ref }, speech, idempotency) =>
      type === 'neuron'
        ? startNeuron(principal, { ...speech, neuron: ref }, idempotency)
        : startPathway(principal, ref, speech, idempotency),

    async answer(principal, { job_id, trace_id }, signal) {
      const row = await waitForResult(principal, job_id, signal)
      if (!row) return undefined
      const { usage, result, kind } = row
      const answer = kind === 'neuron' ? (result as unknown as Answer) : answerOf(result)
      return { ...answer, trace_id, usage, job_id }
    },
  }
}
