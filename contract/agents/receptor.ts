import { z } from 'zod'
import { said, taskOptions } from './conversation.ts'
import { messageFiles } from '../documents/file.ts'
import { line } from '../shared/text.ts'

export const receptorParams = z.object({
  workspace_slug: line(100).meta({ description: "Slug or id of the caller's workspace" }),
  slug_or_id: line(),
})

export const receptorInvokeBody = z.strictObject({
  message: said,
  files: messageFiles,
  trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
  stream: z
    .boolean()
    .default(false)
    .meta({ description: 'Returns 202 with the job immediately, without waiting for the answer' }),
  neuron_task_options: taskOptions.optional(),
})
