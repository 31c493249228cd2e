import { z } from 'zod'
import { presentQuestion, question } from '../../runs/run-outcome.ts'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'

export const listQuestions = defineTool({
  name: 'list_questions',
  title: 'List questions of runs',
  description: 'Lists what runs ask people: approvals, forms and questions that are open.',
  route: 'interventions.list',
  hints: READS,
  input: z.strictObject({
    mine: z.boolean().default(true).meta({ description: 'Only what the caller may answer now' }),
    job_id: z.string().max(300).optional(),
    ...page,
  }),
  output: z.object({ questions: z.array(question), total }),
  async call({ jobs }, { principal }, filter) {
    const found = await jobs.interventions(principal, { ...filter, statuses: ['open'] })
    return { questions: found.data.map(one => presentQuestion(one, one.job_id)), total: found.total }
  },
})
