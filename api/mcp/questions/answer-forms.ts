import type { Principal } from '../../../domain/access/principal.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { McpDeps } from '../mcp-deps.ts'
import { readAnswer } from './elicitation.ts'

/**
 * Submits filled forms as answers to the open questions of a run, by intervention id. Forms for closed interventions
 * are ignored. Throws the service error if the run doesn't accept an answer.
 */
export async function answerForms(
  { jobs }: Pick<McpDeps, 'jobs'>,
  principal: Principal,
  jobId: string,
  results: Record<string, unknown>,
): Promise<void> {
  const { waitingFor = [] } = await jobs.status(principal, jobId)
  for (const question of waitingFor) await answerOne(question)

  async function answerOne(question: WaitingFor): Promise<void> {
    const { interventionId, job_id = jobId } = question
    if (!Object.hasOwn(results, interventionId)) return
    const answer = readAnswer(question, results[interventionId])
    if (answer) await jobs.answer(principal, job_id, interventionId, answer)
  }
}
