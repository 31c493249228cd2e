import { z } from 'zod'
import { bulkBody, bulkPreview, toBulkRequest } from '../../../routes/jobs/bulk.ts'
import { defineRunTool, defineTool, READS } from '../../tool.ts'

const { operation, filter, options, per_second, reason } = bulkBody.shape

export const previewBulk = defineTool({
  name: 'preview_bulk',
  title: 'Tell what an operation on many runs would do',
  description:
    'Counts the runs of a filter to which cancel, pause, resume, retry or migrate would apply, with why not for the others and the first 20 runs. Changes nothing.',
  route: 'jobs.bulk',
  hints: READS,
  input: z.strictObject({ operation, filter, options }),
  output: z.object(bulkPreview.shape),
  call: ({ bulkJobs }, caller, args) => bulkJobs.preview(caller, toBulkRequest(args)),
})

/** A filter that leaves out no run needs a confirmation that a model cannot give. */
export const runBulk = defineRunTool({
  name: 'run_bulk',
  title: 'Cancel, pause, resume, retry or migrate many runs',
  description:
    'Applies the operation to all runs of a filter, one after the other. Show the user the outcome of preview_bulk first, and name its `created_before` in the filter. It takes no filter that leaves out no run.',
  route: 'jobs.bulk',
  input: z.strictObject({ operation, filter, options, per_second, reason: reason.unwrap() }),
  start: ({ bulkJobs }, caller, args) => bulkJobs.start(caller, toBulkRequest(args), caller.idempotency),
})
