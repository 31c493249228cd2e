import { z } from 'zod'
import { INTERVENTION_KINDS } from '../../domain/people/intervention.ts'
import { comment } from './task.ts'
import { errorCode } from '../shared/error.ts'
import { line } from '../shared/text.ts'

export const bulkAnswersBody = z.strictObject({
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

export type BulkAnswersBody = z.output<typeof bulkAnswersBody>

export const bulkAnswersReply = z
  .object({
    dry_run: z.boolean(),
    accepted: z.int(),
    refused: z.int(),
    results: z.array(
      z.object({
        interventionId: z.string(),
        job_id: z.string().optional(),
        title: z.string().optional(),
        kind: z.enum(INTERVENTION_KINDS).optional(),
        shown_hash: z.string().optional(),
        outcome: z.enum(['counts', 'repeats', 'pending', 'refused']).meta({
          description:
            '`repeats`: the caller has given the same answer before, and nothing changes. `pending`: no worker has taken the answer yet, so it may still count',
        }),
        decides: z.boolean().optional().meta({ description: 'Whether the run goes on with it' }),
        approvals: z.int().optional(),
        quorum: z.int().optional(),
        code: errorCode.optional().meta({ description: 'Why it is refused, such as CLAIMED or FORBIDDEN' }),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'BulkAnswers' })

export type BulkAnswersReply = z.output<typeof bulkAnswersReply>

/** What became, or would become, of one answer of many. What was found is described. */
export type BulkAnswerResult = BulkAnswersReply['results'][number]
