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
    .meta({ description: 'One or more statuses, separated by commas' }),
  kind: z.enum(INTERVENTION_KINDS).optional(),
  assignee: commaList(line()).optional().meta({
    description:
      'Assignees such as user:ann or group:finance, separated by commas. Returns interventions assigned to any of them.',
  }),
  pathway_id: line().optional().meta({ description: 'Id or slug of the pathway of the root run' }),
  mine: flag.optional().meta({
    description:
      'true: only interventions that the caller may answer now, as a named person, as a group member, or because anyone may answer',
  }),
  job_id: line(300).optional(),
  sort: z.enum(INTERVENTION_ORDERS).optional().meta({
    description: '`opened` (the default) and `closed` sort by latest first, `due` by earliest due time first',
  }),
  limit,
  offset,
})

const vote = {
  action: z.string(),
  by: z.string(),
  at: timestamp,
  on_behalf_of: z.string().optional().meta({ description: 'Absent assignee on whose behalf a substitute answered' }),
  comment: z.string().optional(),
}

export const changeView = z
  .object({
    change: z.enum(HISTORY_CHANGES),
    by: z.string().optional().meta({ description: 'Absent if the run made the change automatically' }),
    assignees: z
      .array(z.string())
      .optional()
      .meta({ description: 'People and groups who could answer after this change' }),
    comment: z.string().optional(),
    at: timestamp,
  })
  .meta({ id: 'InterventionHistoryEntry' })

/** A change of assignees, a comment or a reminder. If `by` is absent, the run made the change automatically. */
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
      .meta({ description: 'The root run, with its title and requester' }),
    status: z.enum(INTERVENTION_STATUSES),
    decision: z
      .object({ ...vote, data: jsonValue.optional(), answers: z.record(z.string(), z.string()).optional() })
      .optional(),
    votes: z.array(z.object(vote)),
    refusal: z
      .string()
      .optional()
      .meta({ description: 'Why the caller may not answer an open intervention. Absent if the caller may answer.' }),
    closed_at: timestamp.optional().meta({ description: 'Time of the decision, timeout or cancellation' }),
    eligible: z.int().optional().meta({
      description: 'Number of people who may answer now. Present only when you read a single open intervention.',
    }),
    claimed_by: z.string().optional().meta({
      description: 'Person who has claimed an open intervention. Nobody else may answer it until it is released.',
    }),
    claimed_at: timestamp.optional(),
    revision: z
      .int()
      .meta({ description: 'Starts at 0 and increases each time the set of people who may answer changes.' }),
    delegations: z
      .array(z.object({ from: z.string(), to: z.string(), at: timestamp }))
      .optional()
      .meta({ description: 'Delegations of the right to answer' }),
    history: z.array(changeView).optional().meta({
      description:
        'The latest 200 changes and comments, oldest first. Present only when you read a single intervention.',
    }),
    shown_hash: z.string().meta({ description: 'SHA-256 of the canonical JSON of the content shown to the assignees' }),
  })
  .meta({ id: 'Intervention' })
export type InterventionView = z.output<typeof interventionView>

export const interventionCounts = z
  .object({
    open: z.int(),
    mine: z.int().meta({ description: 'Interventions that the caller may answer now' }),
    groups: z.int().meta({ description: "Interventions assigned to one of the caller's groups" }),
  })
  .meta({
    id: 'InterventionCounts',
    description: `Each count stops at ${MAX_COUNTED}`,
  })

/** Counts of open interventions. Each count stops at `MAX_COUNTED`. */
export type InterventionCounts = z.output<typeof interventionCounts>

export const interventionPage = pageSchema(interventionView)

export const reopenBody = z.strictObject({
  reason: z.string().min(1).max(2_000).meta({ description: 'Why the decision must be made again' }),
  dry_run: z.boolean().optional().meta({ description: 'true: previews the fork, without starting it' }),
})
export type ReopenBody = z.output<typeof reopenBody>
