import { z } from 'zod'
import { JOB_KINDS, JOB_STATUSES, OUTCOME_FILTERS, JOB_ORDERS } from '../../domain/runs/jobs.ts'
import { flag, commaList, limit, offset } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { moment } from '../shared/time.ts'

const filters = {
  kind: z.enum(JOB_KINDS).optional(),
  pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
  pathway: line().optional().meta({
    description: "Part of the pathway's title or slug. Not case-sensitive.",
  }),
  receptor_id: line().optional().meta({ description: 'Id or slug of a receptor' }),
  neuron_id: line().optional().meta({ description: 'Id or slug of a stored neuron' }),
  trigger_id: line().optional().meta({ description: 'Id or slug of a trigger' }),
  trace_id: line().optional(),
  error_code: line().optional().meta({ description: 'Error code of failed jobs, such as TIMEOUT' }),
  requester: line().optional().meta({ description: 'Requester of the job, such as user:ann' }),
  started_by: line().optional().meta({
    description: "Prefix of the requester's name, with or without the kind: `user:an` or `an`",
  }),
  title: line().optional().meta({ description: 'Part of the title. Not case-sensitive.' }),
  text: line().optional().meta({
    description: 'Part of the title or input. Not case-sensitive. Inputs larger than 16 kB are not searched.',
  }),
  child_runs: flag.optional().meta({ description: 'false: excludes child runs' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
}

export const jobCountsQuery = z.object(filters)

const statusFilter = commaList(z.enum(JOB_STATUSES), { enum: JOB_STATUSES })
  .optional()
  .meta({ description: 'One or more values, separated by commas' })

export const OUTCOME_NOTE =
  'Outcome of the job; `open` for jobs that have not ended. A cancelled job has the status `failed` and the outcome `cancelled`'

const outcomeFilter = commaList(z.enum(OUTCOME_FILTERS), { enum: OUTCOME_FILTERS })
  .optional()
  .meta({ description: `${OUTCOME_NOTE}. Separate several values with commas` })

export const jobCausesQuery = z.object({ ...filters, status: statusFilter, outcome: outcomeFilter })

export const jobsQuery = z.object({
  ...filters,
  status: statusFilter,
  outcome: outcomeFilter,
  sort: z.enum(JOB_ORDERS).optional().meta({
    description: 'Sort order. Default: newest first. The duration of an open job is the time since its start.',
  }),
  limit,
  offset,
})
