import { z } from 'zod'
import { presentQuestion, question } from '../runs/run-outcome.ts'
import { ADDS, READS, REPLACES, defineTool } from './tool.ts'
import { page, total } from './page.ts'
import { line } from '../../../contract/shared/text.ts'
import { changeView } from '../../../contract/people/intervention.ts'
import { commentBody, taskState } from '../../../contract/people/task.ts'
import { answerReply, inputBody } from '../../../contract/people/answer.ts'
import { evidence } from '../../../contract/people/evidence.ts'

export const listQuestions = defineTool({
  name: 'list_questions',
  title: 'List open questions',
  description: 'Lists the open questions of runs to people: approvals, forms and questions.',
  route: 'interventions.list',
  hints: READS,
  input: z.strictObject({
    mine: z.boolean().default(true).meta({ description: 'Only questions that the caller may answer now' }),
    job_id: z.string().max(300).optional(),
    ...page,
  }),
  output: z.object({ questions: z.array(question), total }),
  async call({ jobs }, { principal }, filter) {
    const tasks = await jobs.interventions(principal, { ...filter, statuses: ['open'] })
    return { questions: tasks.data.map(task => presentQuestion(task, task.job_id)), total: tasks.total }
  },
})

export const getQuestion = defineTool({
  name: 'get_question',
  title: 'Read a question',
  description: 'Reads a question of a run to people, with its status and answer.',
  route: 'interventions.get',
  hints: READS,
  input: z.strictObject({ question_id: line() }),
  output: question.extend({
    status: z.enum(['open', 'decided', 'timed_out', 'cancelled']),
    claimed_by: z
      .string()
      .optional()
      .meta({ description: 'Person who has claimed the question. Nobody else may answer it.' }),
    decision: z
      .object({ action: z.string(), by: z.string(), at: z.string(), comment: z.string().optional() })
      .optional(),
  }),
  async call({ jobs }, { principal }, { question_id }) {
    const { decision, status, claimed_by, ...fields } = await jobs.intervention(principal, question_id)
    return { ...presentQuestion(fields, fields.job_id), status, claimed_by, decision }
  },
})

export const claimQuestion = defineTool({
  name: 'claim_question',
  title: 'Claim a question',
  description:
    'Claims a question for the caller, so that nobody else can answer it until it is released or answered. Fails if another person has claimed it.',
  route: 'interventions.claim',
  hints: { ...ADDS, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({ question_id: line() }),
  output: taskState,
  call: ({ humanTasks }, { principal, idempotency }, { question_id }) =>
    humanTasks.change(principal, question_id, { type: 'claim' }, idempotency),
})

export const releaseQuestion = defineTool({
  name: 'release_question',
  title: 'Release a question',
  description: "Releases the caller's claim, so that others can answer the question.",
  route: 'interventions.release',
  hints: { ...ADDS, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({ question_id: line() }),
  output: taskState,
  call: ({ humanTasks }, { principal, idempotency }, { question_id }) =>
    humanTasks.change(principal, question_id, { type: 'release' }, idempotency),
})

export const commentQuestion = defineTool({
  name: 'comment_on_question',
  title: 'Comment on a question',
  description: 'Adds a comment to an open question without answering it. Everyone who may answer can read it.',
  route: 'interventions.comment',
  hints: ADDS,
  isIdempotent: true,
  input: z.strictObject({ question_id: line(), ...commentBody.shape }),
  output: changeView,
  call: ({ humanTasks }, { principal, idempotency }, { question_id, comment }) =>
    humanTasks.comment(principal, question_id, comment, idempotency),
})

const { interventionId, action, comment, data, answers } = inputBody.shape.input.shape

export const answerQuestion = defineTool({
  name: 'answer_question',
  title: 'Answer a question',
  description:
    'Answers a question of a run on behalf of the caller. Send only what the user has decided. An answer cannot be withdrawn. Sending the same answer again has no effect.',
  route: 'jobs.answer',
  hints: { ...REPLACES, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({
    question_id: interventionId,
    action: action.meta({ description: 'One of the `actions` of the question' }),
    comment,
    data: data.meta({ description: 'For submit_input: values of the form fields' }),
    answers: answers.meta({ description: 'For answer_questions: answers by question id' }),
  }),
  output: answerReply,
  async call({ jobs }, { principal, idempotency }, { question_id, ...answer }) {
    const { job_id } = await jobs.intervention(principal, question_id)
    return jobs.answer(principal, job_id, question_id, answer, idempotency)
  },
})

export const getEvidence = defineTool({
  name: 'get_evidence',
  title: 'Read decision evidence',
  description:
    'Reads the signed evidence of a decision: the content shown, the signed votes with their roles, and the audit log entries. Also works after the run was removed, but then without texts.',
  route: 'interventions.evidence',
  hints: READS,
  input: z.strictObject({ question_id: line() }),
  output: z.object({
    ...evidence.shape,
    document: z.record(z.string(), z.unknown()),
    shown: z.record(z.string(), z.unknown()).nullable(),
  }),
  call: ({ evidence: service }, { principal }, { question_id }) => service.read(principal, question_id),
})
