import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { WrittenText } from '../../domain/stakeholders/briefing.ts'
import { checkWritten, WRITTEN_SCHEMA, WRITTEN_SYSTEM, writtenAnswer } from '../../domain/stakeholders/written.ts'
import { RunFailed } from '../../domain/shared/errors.ts'
import type { JobsService } from '../runs/jobs.ts'
import type { WaitForResult } from '../runs/wait-for-result.ts'

export interface WriterDeps {
  jobs: Pick<JobsService, 'start'>
  waitForResult: WaitForResult
  config: { MODEL_DEFAULT?: string }
}

/** Maximum number of facts that are passed to a model. */
const MAX_FACTS = 200

/** Writes a text based on facts. Returns null if no model is configured or the model did not respond in time. */
export type Write = (
  principal: Principal,
  name: string,
  facts: string[],
  signal?: AbortSignal,
) => Promise<WrittenText | null>

/**
 * Creates the writer. It runs a pathway with one model call, so that its usage is counted like any other run's usage.
 */
export function createWriter({ jobs, waitForResult, config }: WriterDeps): Write {
  const model = config.MODEL_DEFAULT
  return async (principal, name, facts, signal) => {
    if (model === undefined) return null
    const shownFacts = facts.slice(0, MAX_FACTS)
    const numbered = shownFacts.map((fact, i) => `${i + 1}. ${fact}`).join('\n')
    const input = { message: `Facts about ${name}:\n\n${numbered}` }
    try {
      const { job_id } = await jobs.start(principal, { pathway: DEFINITION, input })
      const { status, result } = await waitForResult(principal, job_id, signal)
      const answer = status === 'completed' ? writtenAnswer.safeParse(result) : undefined
      return answer?.success ? { model, ...checkWritten(answer.data, shownFacts) } : null
    } catch (error) {
      if (error instanceof RunFailed) return null
      throw error
    }
  }
}

const DEFINITION: PathwayDefinition = {
  schema: 'pathway/1',
  run_title: 'Briefing text',
  nodes: [
    {
      id: 'write',
      type: 'neuron',
      with: { instructions: WRITTEN_SYSTEM, message: '${input.message}', schema: WRITTEN_SCHEMA },
    },
    { id: 'written', type: 'end', output: '${nodes.write.output.data}' },
  ],
  edges: [{ from: 'write', to: 'written' }],
}
