import { z } from 'zod'
import { JOB_KINDS, JOB_STATUSES, OUTCOME_FILTERS, JOB_ORDERS } from '../../domain/runs/jobs.ts'
import { flag, commaList, limit, offset } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { moment } from '../shared/time.ts'

const filters = {
  kind: z.enum(JOB_KINDS).optional(),
  pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
  pathway: line().optional().meta({
    description: 'A part of the title or the slug of the pathway, in upper or lower case',
  }),
  receptor_id: line().optional().meta({ description: 'Id or slug of a receptor' }),
  neuron_id: line().optional().meta({ description: 'Id or slug of a stored neuron' }),
  trigger_id: line().optional().meta({ description: 'Id or slug of a trigger' }),
  trace_id: line().optional(),
  error_code: line().optional().meta({ description: 'Code of the error of failed jobs, such as TIMEOUT' }),
  requester: line().optional().meta({ description: 'Who started the job, such as user:ann' }),
  started_by: line().optional().meta({
    description: 'The beginning of who started the job, with or without its kind: `user:an` or `an`',
  }),
  title: line().optional().meta({ description: 'A part of the title, in upper or lower case' }),
  text: line().optional().meta({
    description:
      'A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched',
  }),
  child_runs: flag.optional().meta({ description: 'false: without the runs that other runs have started' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
}

export const jobCountsQuery = z.object(filters)

const statusFilter = commaList(z.enum(JOB_STATUSES), { enum: JOB_STATUSES })
  .optional()
  .meta({ description: 'One or more, separated by commas' })

export const OUTCOME_NOTE =
  'How jobs have ended; `open` for those that have not. Cancelled jobs have the status `failed` and the outcome `cancelled`'

const outcomeFilter = commaList(z.enum(OUTCOME_FILTERS), { enum: OUTCOME_FILTERS })
  .optional()
  .meta({ description: `${OUTCOME_NOTE}. One or more, separated by commas` })

export const jobCausesQuery = z.object({ ...filters, status: statusFilter, outcome: outcomeFilter })

export const jobsQuery = z.object({
  ...filters,
  status: statusFilter,
  outcome: outcomeFilter,
  sort: z
    .enum(JOB_ORDERS)
    .optional()
    .meta({ description: 'By default the newest first. An open job has taken as long as it is open' }),
  limit,
  offset,
})
