import { z } from 'zod'
import { taskState } from '../../../routes/interventions/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { ADDS, defineTool } from '../../tool.ts'

export const releaseQuestion = defineTool({
  name: 'release_question',
  title: 'Release a question of a run',
  description: 'Ends the claim of the caller, so that others can answer the question.',
  route: 'interventions.release',
  hints: { ...ADDS, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({ question_id: line() }),
  output: z.object(taskState.shape),
  call: ({ humanTasks }, { principal, idempotency }, { question_id }) =>
    humanTasks.change(principal, question_id, { type: 'release' }, idempotency),
})
