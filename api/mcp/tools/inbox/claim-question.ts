import { z } from 'zod'
import { taskState } from '../../../routes/interventions/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { ADDS, defineTool } from '../../tool.ts'

export const claimQuestion = defineTool({
  name: 'claim_question',
  title: 'Claim a question of a run',
  description:
    'Claims a question for the caller, so that no other person answers it until it is released or answered. Refused where another person has claimed it.',
  route: 'interventions.claim',
  hints: { ...ADDS, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({ question_id: line() }),
  output: z.object(taskState.shape),
  call: ({ humanTasks }, { principal, idempotency }, { question_id }) =>
    humanTasks.change(principal, question_id, { type: 'claim' }, idempotency),
})
