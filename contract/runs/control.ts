import { z } from 'zod'
import { definitionNote } from '../pathways/definition.ts'
import { openInterventions } from '../people/question.ts'
import { jobStatus, receipt } from './job.ts'
import { requireAtMostOne, requireExactlyOne } from '../shared/body-rules.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'

export const jobState = z.object({ job_id: z.string(), status: jobStatus }).meta({ id: 'JobState' })
export type JobState = z.output<typeof jobState>

export const jobParams = z.object({ jobId: line(300) })

export const startBody = requireAtMostOne(
  requireExactlyOne(
    z.strictObject({
      pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
      pathway: jsonValue.optional().meta({
        ...definitionNote,
        description: 'Inline definition, instead of pathway_id. Needs the permission definitions:run.',
      }),
      input: jsonValue.optional(),
      data: jsonValue.optional().meta({ description: 'Alias of `input`' }),
    }),
    ['pathway_id', 'pathway'],
  ),
  ['input', 'data'],
)

export type StartBody = z.output<typeof startBody>

export const resumeBody = z
  .strictObject({
    event: line().optional().meta({ description: 'Name of the event that a `wait` node waits for' }),
    data: jsonValue.optional().meta({ description: 'Output for the `wait` node. Only with `event`.' }),
  })
  .refine(({ event, data }) => event !== undefined || data === undefined, 'must not have data without event')
  .meta({ dependentRequired: { data: ['event'] } })

export const jobAccepted = z.object({ job_id: z.string(), status: z.literal('pending') }).meta({ id: 'JobAccepted' })
export type JobAccepted = z.output<typeof jobAccepted>

export const resumedJob = z
  .object({
    job_id: z.string(),
    status: jobStatus,
    waitingFor: openInterventions.optional(),
    resumed: z.boolean().optional().meta({
      description: 'true: the job continues. Absent if the request has an `event`.',
    }),
    delivered_to: z.array(z.string()).optional().meta({
      description: 'Keys of the `wait` nodes that the event completed. Present if the request has an `event`.',
    }),
    kept: z.boolean().optional().meta({
      description:
        'true: no node is waiting for the event yet. The next matching `wait` node receives it. Present if the request has an `event`.',
    }),
  })
  .meta({ id: 'ResumedJob' })
export type ResumedJob = z.output<typeof resumedJob>

export const cancelledJob = z.object({ job_id: z.string(), status: jobStatus, receipt }).meta({ id: 'CancelledJob' })
export type CancelledJob = z.output<typeof cancelledJob>
