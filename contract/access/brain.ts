import { z } from 'zod'
import { requireChange } from '../shared/body-rules.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const name = line(100)
export const brainBody = z.strictObject({ name })
export const brainChange = requireChange(
  z.strictObject({
    name: name.optional(),
    is_default: z.literal(true).optional().meta({
      description:
        'Makes it the brain in which credentials work that have no default of their own, within five seconds',
    }),
    default_map_id: z.uuid().nullable().optional().meta({
      description:
        'The stakeholder map that the stakeholder routes show unless a request names one; a map of the brain or of the workspace. The first map of a brain becomes it. `null`: none, until the next map is made.',
    }),
  }),
)

export type BrainChange = z.output<typeof brainChange>

export const brain = z
  .object({
    id: z.uuid(),
    name: z.string(),
    is_default: z.boolean(),
    default_map_id: z.uuid().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Brain' })

export type BrainView = z.output<typeof brain>

export const brainPage = pageSchema(brain)
