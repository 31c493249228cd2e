import { z } from 'zod'
import { answerReply, inputBody } from '../../../routes/jobs/schemas.ts'
import { defineTool, REPLACES } from '../../tool.ts'

const { interventionId, action, comment, data, answers } = inputBody.shape.input.shape

export const answerQuestion = defineTool({
  name: 'answer_question',
  title: 'Answer a question of a run',
  description:
    'Answers what a run asks, in the name of the caller. Answer only what the person has decided. An answer cannot be taken back; the same answer again changes nothing.',
  route: 'jobs.answer',
  hints: { ...REPLACES, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({
    question_id: interventionId,
    action: action.meta({ description: 'One of the `actions` of the question' }),
    comment,
    data: data.meta({ description: 'For submit_input: what the form asks for' }),
    answers: answers.meta({ description: 'For answer_questions: an answer by the id of each question' }),
  }),
  output: z.object(answerReply.shape),
  async call({ jobs }, { principal, idempotency }, { question_id, ...answer }) {
    const { job_id } = await jobs.intervention(principal, question_id)
    return jobs.answer(principal, job_id, question_id, answer, idempotency)
  },
})
