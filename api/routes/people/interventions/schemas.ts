import { z } from 'zod'
import { HISTORY_CHANGES } from '../../../../domain/people/handling.ts'
import { INTERVENTION_ORDERS, JOB_KINDS, MAX_COUNTED } from '../../../../domain/runs/jobs.ts'
import type { BulkReply } from '../../../../services/people/types.ts'
import type { ChangeView, InterventionCounts, InterventionView } from '../../../../services/runs/types.ts'
import { jsonValue } from '../../../../contract/shared/json.ts'
import { pageSchema } from '../../../../contract/shared/page.ts'
import { commaList, flag, limit, offset } from '../../../../contract/shared/query.ts'
import { line, person, principalName } from '../../../../contract/shared/text.ts'
import { timestamp } from '../../../../contract/shared/time.ts'
import type { TaskReply } from '../../../../workflows/shared/messages.ts'
import { waitingFor } from '../../runs/jobs/job-view.ts'

const STATUSES = ['open', 'decided', 'timed_out', 'cancelled'] as const

export const interventionParams = z.object({ id: line() })

export const listQuery = z.object({
  status: commaList(z.enum(STATUSES), { enum: STATUSES })
    .optional()
    .meta({ description: 'One or more, separated by commas' }),
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

const vote = {
  action: z.string(),
  by: z.string(),
  at: timestamp,
  on_behalf_of: z.string().optional().meta({ description: 'The absent assignee for whom a substitute has answered' }),
  comment: z.string().optional(),
}

export const change = z
  .object({
    change: z.enum(HISTORY_CHANGES),
    by: z.string().optional().meta({ description: 'Absent for what the run did by itself' }),
    assignees: z.array(z.string()).optional().meta({ description: 'Who could answer after it' }),
    comment: z.string().optional(),
    at: timestamp,
  })
  .meta({ id: 'InterventionHistoryEntry' }) satisfies z.ZodType<ChangeView>

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
    claimed_by: z.string().optional().meta({
      description: 'Who has claimed an open intervention: no other person may answer it until it is released',
    }),
    claimed_at: timestamp.optional(),
    revision: z.int().meta({ description: 'Grows with every change of who may answer; 0 before the first' }),
    delegations: z
      .array(z.object({ from: z.string(), to: z.string(), at: timestamp }))
      .optional()
      .meta({ description: 'Who has handed over the right to answer, and to whom' }),
    history: z.array(change).optional().meta({
      description: 'Changes and comments, oldest first, the latest 200; only present when a single one is read',
    }),
    shown_hash: z.string().meta({ description: 'SHA-256 of the canonical JSON that was shown to the assignees' }),
  })
  .meta({ id: 'Intervention' }) satisfies z.ZodType<InterventionView>

export const interventionCounts = z
  .object({
    open: z.int(),
    mine: z.int().meta({ description: 'What the caller may answer now' }),
    groups: z.int().meta({ description: 'What is assigned to a group of the caller' }),
  })
  .meta({
    id: 'InterventionCounts',
    description: `Each is counted up to ${MAX_COUNTED}`,
  }) satisfies z.ZodType<InterventionCounts>

export const interventionPage = pageSchema(intervention)

export const reopenBody = z.strictObject({
  reason: z.string().min(1).max(2_000).meta({ description: 'Why it is to be decided again' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what the fork would do, and starts nothing' }),
})

const comment = z.string().min(1).max(2_000)

export const reassignBody = z.strictObject({
  to: z
    .array(principalName)
    .min(1)
    .max(100)
    .meta({ description: 'All who may answer from now on: people such as user:ann, groups such as group:finance' }),
  comment: comment.optional().meta({ description: 'Why' }),
})

export const delegateBody = z.strictObject({
  to: person.meta({ description: 'The person who may answer in place of the caller' }),
  comment: comment.optional().meta({ description: 'Why' }),
})

export const commentBody = z.strictObject({ comment })

export const taskState = z
  .object({
    job_id: z.string(),
    interventionId: z.string(),
    revision: z.int(),
    assignees: z.array(z.string()),
    claimed_by: z.string().optional(),
    claimed_at: timestamp.optional(),
  })
  .meta({ id: 'TaskState' }) satisfies z.ZodType<TaskReply>

export const bulkBody = z.strictObject({
  items: z
    .array(
      z.strictObject({
        interventionId: line(),
        shown_hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional()
          .meta({ description: 'As the preview has it: what you have seen. Without `dry_run` it is needed' }),
      }),
    )
    .min(1)
    .max(100)
    .superRefine((items, context) => {
      const ids = items.map(({ interventionId }) => interventionId)
      ids.forEach((id, i) => {
        const path = [i, 'interventionId']
        if (ids.indexOf(id) < i) context.addIssue({ code: 'custom', path, message: 'is in the list already' })
      })
    }),
  action: z.enum(['approve', 'reject', 'decline_questions']),
  comment: comment.optional(),
  dry_run: z.boolean().optional().meta({ description: 'true: says what would become of each, and answers nothing' }),
})

export const bulkReply = z
  .object({
    dry_run: z.boolean(),
    accepted: z.int(),
    refused: z.int(),
    results: z.array(
      z.object({
        interventionId: z.string(),
        job_id: z.string().optional(),
        title: z.string().optional(),
        kind: z.enum(['approval', 'form', 'questions']).optional(),
        shown_hash: z.string().optional(),
        outcome: z.enum(['counts', 'repeats', 'pending', 'refused']).meta({
          description:
            '`repeats`: the caller has given the same answer before, and nothing changes. `pending`: no worker has taken the answer yet, so it may still count',
        }),
        decides: z.boolean().optional().meta({ description: 'Whether the run goes on with it' }),
        approvals: z.int().optional(),
        quorum: z.int().optional(),
        code: z.string().optional().meta({ description: 'Why it is refused, such as CLAIMED or FORBIDDEN' }),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'BulkAnswers' }) satisfies z.ZodType<Omit<BulkReply, 'results'>>
