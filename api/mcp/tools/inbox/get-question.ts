import { z } from 'zod'
import { line } from '../../../routing/schemas.ts'
import { presentQuestion, question } from '../../runs/run-outcome.ts'
import { defineTool, READS } from '../../tool.ts'

export const getQuestion = defineTool({
  name: 'get_question',
  title: 'Read a question of a run',
  description: 'Reads what a run asks people, with its state and the answer.',
  route: 'interventions.get',
  hints: READS,
  input: z.strictObject({ question_id: line() }),
  output: question.extend({
    status: z.enum(['open', 'decided', 'timed_out', 'cancelled']),
    claimed_by: z.string().optional().meta({ description: 'Who has claimed it: no other person may answer' }),
    decision: z
      .object({ action: z.string(), by: z.string(), at: z.string(), comment: z.string().optional() })
      .optional(),
  }),
  async call({ jobs }, { principal }, { question_id }) {
    const { decision, status, claimed_by, ...asked } = await jobs.intervention(principal, question_id)
    const answer = decision && { action: decision.action, by: decision.by, at: decision.at, comment: decision.comment }
    return { ...presentQuestion(asked, asked.job_id), status, claimed_by, decision: answer }
  },
})
