import { z } from 'zod'
import { HISTORY_CHANGES } from '../../domain/people/handling.ts'
import { JOB_KINDS } from '../../domain/runs/jobs.ts'
import {
  INTERVENTION_STATUSES,
  INTERVENTION_KINDS,
  INTERVENTION_ORDERS,
  MAX_COUNTED,
} from '../../domain/people/intervention.ts'
import { waitingFor } from './question.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { commaList, flag, limit, offset } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const interventionParams = z.object({ id: line() })

export const interventionsQuery = z.object({
  status: commaList(z.enum(INTERVENTION_STATUSES), { enum: INTERVENTION_STATUSES })
    .optional()
    .meta({ description: 'One or more, separated by commas' }),
  kind: z.enum(INTERVENTION_KINDS).optional(),
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

const vote = {
  action: z.string(),
  by: z.string(),
  at: timestamp,
  on_behalf_of: z.string().optional().meta({ description: 'The absent assignee for whom a substitute has answered' }),
  comment: z.string().optional(),
}

export const changeView = z
  .object({
    change: z.enum(HISTORY_CHANGES),
    by: z.string().optional().meta({ description: 'Absent for what the run did by itself' }),
    assignees: z.array(z.string()).optional().meta({ description: 'Who could answer after it' }),
    comment: z.string().optional(),
    at: timestamp,
  })
  .meta({ id: 'InterventionHistoryEntry' })

/** A change of who deals with an intervention, a comment on it or a reminder of it. Without `by` the run did it. */
export type ChangeView = z.output<typeof changeView>

export const interventionView = z
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
    status: z.enum(INTERVENTION_STATUSES),
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
    claimed_by: z.string().optional().meta({
      description: 'Who has claimed an open intervention: no other person may answer it until it is released',
    }),
    claimed_at: timestamp.optional(),
    revision: z.int().meta({ description: 'Grows with every change of who may answer; 0 before the first' }),
    delegations: z
      .array(z.object({ from: z.string(), to: z.string(), at: timestamp }))
      .optional()
      .meta({ description: 'Who has handed over the right to answer, and to whom' }),
    history: z.array(changeView).optional().meta({
      description: 'Changes and comments, oldest first, the latest 200; only present when a single one is read',
    }),
    shown_hash: z.string().meta({ description: 'SHA-256 of the canonical JSON that was shown to the assignees' }),
  })
  .meta({ id: 'Intervention' })
export type InterventionView = z.output<typeof interventionView>

export const interventionCounts = z
  .object({
    open: z.int(),
    mine: z.int().meta({ description: 'What the caller may answer now' }),
    groups: z.int().meta({ description: 'What is assigned to a group of the caller' }),
  })
  .meta({
    id: 'InterventionCounts',
    description: `Each is counted up to ${MAX_COUNTED}`,
  })

/** Numbers of open interventions, each counted up to `MAX_COUNTED`. */
export type InterventionCounts = z.output<typeof interventionCounts>

export const interventionPage = pageSchema(interventionView)

export const reopenBody = z.strictObject({
  reason: z.string().min(1).max(2_000).meta({ description: 'Why it is to be decided again' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what the fork would do, and starts nothing' }),
})
export type ReopenBody = z.output<typeof reopenBody>
