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
          .meta({
            description: 'Hash from the dry run. It proves that you have seen the preview. Required without `dry_run`.',
          }),
      }),
    )
    .min(1)
    .max(100)
    .superRefine((items, context) => {
      const ids = items.map(({ interventionId }) => interventionId)
      ids.forEach((id, i) => {
        const path = [i, 'interventionId']
        if (ids.indexOf(id) < i) context.addIssue({ code: 'custom', path, message: 'is already in the list' })
      })
    }),
  action: z.enum(['approve', 'reject', 'decline_questions']),
  comment: comment.optional(),
  dry_run: z
    .boolean()
    .optional()
    .meta({ description: 'true: previews the outcome of each answer, without recording any answer' }),
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
            '`repeats`: the caller has already given the same answer, so nothing changes. `pending`: no worker has processed the answer yet, so it may still count.',
        }),
        decides: z.boolean().optional().meta({ description: 'Whether this answer allows the run to continue' }),
        approvals: z.int().optional(),
        quorum: z.int().optional(),
        code: errorCode
          .optional()
          .meta({ description: 'Error code that explains why the answer is refused, such as CLAIMED or FORBIDDEN' }),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'BulkAnswers' })

export type BulkAnswersReply = z.output<typeof bulkAnswersReply>

/** The outcome of one answer in a batch, or a preview of that outcome. */
export type BulkAnswerResult = BulkAnswersReply['results'][number]
