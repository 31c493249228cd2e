import { z } from 'zod'
import { principalName, person } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const comment = z.string().min(1).max(2_000)

export const reassignBody = z.strictObject({
  to: z.array(principalName).min(1).max(100).meta({
    description: 'Everyone who may answer after the change: people such as user:ann, groups such as group:finance',
  }),
  comment: comment.optional().meta({ description: 'Reason' }),
})

export const delegateBody = z.strictObject({
  to: person.meta({ description: 'Person who may answer on behalf of the caller' }),
  comment: comment.optional().meta({ description: 'Reason' }),
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
  .meta({ id: 'TaskState' })

/** An intervention's assignment after a change. */
export type TaskState = z.output<typeof taskState>
