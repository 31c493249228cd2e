import { z } from 'zod'
import { INTERVENTION_ORDERS, JOB_KINDS } from '../../../domain/jobs.ts'
import type { InterventionCounts, InterventionView } from '../../../services/jobs/types.ts'
import { commaList, flag, jsonValue, limit, line, offset, pageSchema, timestamp } from '../../routing/schemas.ts'
import { waitingFor } from '../jobs/schemas.ts'

const STATUSES = ['open', 'decided', 'timed_out', 'cancelled'] as const

export const interventionParams = z.object({ id: line() })

export const listQuery = z.object({
  status: commaList(z.enum(STATUSES), STATUSES).optional().meta({ description: 'One or more, separated by commas' }),
  kind: z.enum(['approval', 'form', 'questions']).optional(),
  assignee: commaList(line())
    .optional()
    .meta({ description: 'Assignees such as user:ann or group:finance, separated by commas: those of any of them' }),
  pathway_id: line().optional().meta({ description: 'Id or slug of the pathway of the run that was started' }),
  mine: flag.optional().meta({
    description: 'true: only what the caller may answer now, by name, by group, or because it has no assignees',
  }),
  job_id: line(300).optional(),
  sort: z.enum(INTERVENTION_ORDERS).optional().meta({
    description: '`opened` (the default) and `closed`: the latest first. `due`: what is due next first',
  }),
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
      .object({
        title: z.string(),
        requester: z.string(),
        kind: z.enum(JOB_KINDS),
        pathway_id: z.string().optional(),
        pathway_title: z.string().optional(),
      })
      .optional()
      .meta({ description: 'The run that was started, with its title and who started it' }),
    status: z.enum(STATUSES),
    decision: z
      .object({ ...vote, data: jsonValue.optional(), answers: z.record(z.string(), z.string()).optional() })
      .optional(),
    votes: z.array(z.object(vote)),
    refusal: z
      .string()
      .optional()
      .meta({ description: 'Why the caller may not answer an open intervention. Absent where it may' }),
    closed_at: timestamp.optional().meta({ description: 'When it was decided, timed out or was cancelled' }),
    eligible: z
      .int()
      .optional()
      .meta({ description: 'People who may answer now; only present when a single open intervention is read' }),
    shown_hash: z.string().meta({ description: 'SHA-256 of the canonical JSON that was shown to the assignees' }),
  })
  .meta({ id: 'Intervention' }) satisfies z.ZodType<InterventionView>

export const interventionCounts = z
  .object({
    open: z.int(),
    mine: z.int().meta({ description: 'What the caller may answer now' }),
    groups: z.int().meta({ description: 'What is assigned to a group of the caller' }),
  })
  .meta({ id: 'InterventionCounts' }) satisfies z.ZodType<InterventionCounts>

export const interventionPage = pageSchema(intervention)

export const reopenBody = z.strictObject({
  reason: z.string().min(1).max(2_000).meta({ description: 'Why it is to be decided again' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what the fork would do, and starts nothing' }),
})
