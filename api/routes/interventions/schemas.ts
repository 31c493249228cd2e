import { z } from 'zod'
import type { InterventionView } from '../../../services/jobs/types.ts'
import { flag, jsonValue, limit, line, offset, pageSchema, timestamp } from '../../routing/schemas.ts'
import { waitingFor } from '../jobs/schemas.ts'

const STATUSES = ['open', 'decided', 'timed_out', 'cancelled'] as const

export const interventionParams = z.object({ id: line() })

export const listQuery = z.object({
  status: z.enum(STATUSES).optional(),
  assignee: line().optional().meta({ description: 'An assignee, such as user:ann or group:finance' }),
  mine: flag
    .optional()
    .meta({ description: 'true: only what the caller may answer now, by name, by group, or because it names nobody' }),
  job_id: line(300).optional(),
  limit,
  offset,
})

const vote = { action: z.string(), by: z.string(), at: timestamp, comment: z.string().optional() }

export const intervention = z
  .object({
    ...waitingFor.shape,
    job_id: z.string(),
    root_job_id: z.string(),
    root_job: z
      .object({ title: z.string(), requester: z.string() })
      .optional()
      .meta({ description: 'The run that was started, with its title and who started it' }),
    status: z.enum(STATUSES),
    decision: z
      .object({ ...vote, data: jsonValue.optional(), answers: z.record(z.string(), z.string()).optional() })
      .optional(),
    votes: z.array(z.object(vote)),
    eligible: z
      .int()
      .optional()
      .meta({ description: 'People who may answer now; only present when a single open intervention is read' }),
    shown_hash: z.string().meta({ description: 'SHA-256 of the canonical JSON that was shown to the assignees' }),
  })
  .meta({ id: 'Intervention' }) satisfies z.ZodType<InterventionView>

export const interventionPage = pageSchema(intervention)
