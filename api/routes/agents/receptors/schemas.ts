import { z } from 'zod'
import { line } from '../../../../contract/shared/text.ts'
import { said, taskOptions } from '../conversations/schemas.ts'

export const invokeParams = z.object({
  workspace_slug: line(100).meta({ description: 'Slug or id of the workspace of the caller' }),
  slug_or_id: line(),
})

export const invokeBody = z.strictObject({
  message: said,
  trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
  stream: z.boolean().default(false).meta({ description: 'Returns 202 immediately, with the job to follow' }),
  neuron_task_options: taskOptions.optional(),
})
