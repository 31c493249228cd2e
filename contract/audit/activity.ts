import { z } from 'zod'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { limit, offset } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'

export const activityQuery = z.object({
  actor: line().optional().meta({ description: 'Actor who made the change, such as `user:ann` or `key:<name>`' }),
  action: line().optional().meta({ description: 'Action such as `pathway.update` or `job.cancel`' }),
  target_type: line().optional().meta({ description: 'First word of the action, such as `pathway`' }),
  target_id: line().optional(),
  from: moment.optional().meta({ description: 'Start time, inclusive' }),
  to: moment.optional().meta({ description: 'End time, exclusive' }),
  limit,
  offset,
})

export type ActivityFilter = z.output<typeof activityQuery>

const hash = z.string().nullable()

export const activityEntry = z
  .object({
    id: z.string(),
    at: timestamp,
    actor: z.string(),
    person: z.string().meta({ description: 'Person behind the actor' }),
    credential_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the API key, `job:<id>` for a run, or `cli` for the command line' }),
    action: z.string(),
    target: z.object({ type: z.string(), id: z.string() }),
    brain_id: z.uuid().nullable(),
    request_id: z
      .string()
      .nullable()
      .meta({ description: "The request's `X-Request-Id`, or the id of the job that made the change" }),
    before_hash: hash.meta({ description: 'SHA-256 of the canonical JSON of the target before the change' }),
    after_hash: hash.meta({
      description: 'SHA-256 of the target after the change. Null after a delete, and for commands sent to a run.',
    }),
    details: z.record(z.string(), jsonValue),
  })
  .meta({ id: 'ActivityEntry', description: 'A recorded change' })

/** One recorded change. */
export type ActivityEntry = z.output<typeof activityEntry>

export const activityPage = pageSchema(activityEntry)
