import { z } from 'zod'
import { change, commentBody } from '../../../routes/interventions/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { ADDS, defineTool } from '../../tool.ts'

export const commentQuestion = defineTool({
  name: 'comment_on_question',
  title: 'Comment on a question of a run',
  description: 'Adds a comment to an open question without answering it. Those who may answer read it.',
  route: 'interventions.comment',
  hints: ADDS,
  isIdempotent: true,
  input: z.strictObject({ question_id: line(), ...commentBody.shape }),
  output: z.object(change.shape),
  call: ({ humanTasks }, { principal, idempotency }, { question_id, comment }) =>
    humanTasks.comment(principal, question_id, comment, idempotency),
})
