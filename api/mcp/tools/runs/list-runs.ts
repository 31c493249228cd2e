import { z } from 'zod'
import { JOB_OUTCOMES, JOB_STATUSES, OUTCOME_FILTERS } from '../../../../domain/jobs.ts'
import { OUTCOME_NOTE } from '../../../routes/jobs/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists runs, latest first.',
  route: 'jobs.list',
  hints: READS,
  input: z.strictObject({
    status: z.enum(JOB_STATUSES).optional(),
    outcome: z.enum(OUTCOME_FILTERS).optional().meta({ description: OUTCOME_NOTE }),
    pathway: line().optional().meta({ description: 'Id or slug of a pathway' }),
    neuron: line().optional().meta({ description: 'Id or slug of a neuron' }),
    ...page,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        job_id: z.string(),
        title: z.string(),
        kind: z.string(),
        status: z.enum(JOB_STATUSES),
        outcome: z.enum(JOB_OUTCOMES).nullable(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
        created_at: z.string(),
        finished_at: z.string().nullable(),
      }),
    ),
    total,
  }),
  async call({ jobs }, { principal }, { status, outcome, pathway, neuron, ...page }) {
    const filter = {
      statuses: status && [status],
      outcomes: outcome && [outcome],
      pathway_id: pathway,
      neuron_id: neuron,
      ...page,
    }
    const found = await jobs.list(principal, filter)
    const runs = found.jobs.map(({ job_id, title, kind, status, outcome, error, created_at, finished_at }) => ({
      job_id,
      title,
      kind,
      status,
      outcome,
      error: error && { code: error.code, message: error.message },
      created_at,
      finished_at,
    }))
    return { runs, total: found.total }
  },
})
