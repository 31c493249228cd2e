import { z } from 'zod'
import type { AnswerReply } from '../../domain/people/intervention.ts'
import { answerAction } from './question.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const interventionResponse = z.strictObject({
  type: z.literal('intervention_response'),
  interventionId: line(),
  action: answerAction,
  comment: z.string().max(10_000).optional(),
  data: jsonValue.optional(),
  answers: z.record(z.string(), z.string()).optional(),
})

export const inputBody = z.strictObject({
  workspace_id: z.uuid().meta({ description: 'Workspace of the caller' }),
  input: interventionResponse,
})

export const answerReply = z
  .object({
    job_id: z.string(),
    interventionId: z.string(),
    action: answerAction,
    by: z.string(),
    at: timestamp,
    decided: z.boolean(),
    approvals: z.int(),
    quorum: z.int(),
    pending: z.boolean().optional().meta({
      description:
        'true: no worker has processed the answer yet, so it may still count. Send the same answer again to get its outcome.',
    }),
  })
  .meta({ id: 'AnswerReply' }) satisfies z.ZodType<AnswerReply>
