import { z } from 'zod'
import { JOB_STATUSES } from '../../../../domain/jobs.ts'
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
        error: z.object({ code: z.string(), message: z.string() }).optional(),
        created_at: z.string(),
        finished_at: z.string().nullable(),
      }),
    ),
    total,
  }),
  async call({ jobs }, { principal }, { status, pathway, neuron, ...page }) {
    const filter = { statuses: status && [status], pathway_id: pathway, neuron_id: neuron, ...page }
    const found = await jobs.list(principal, filter)
    const runs = found.jobs.map(({ job_id, title, kind, status, error, created_at, finished_at }) => ({
      job_id,
      title,
      kind,
      status,
      error: error && { code: error.code, message: error.message },
      created_at,
      finished_at,
    }))
    return { runs, total: found.total }
  },
})
