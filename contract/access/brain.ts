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
        'Makes this the default brain for credentials without their own default. Takes effect within five seconds.',
    }),
    default_map_id: z.uuid().nullable().optional().meta({
      description:
        'Stakeholder map that the stakeholder routes use unless a request names one. The map must belong to the brain or to the workspace. The first map created in a brain becomes its default. `null`: no default until the next map is created.',
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
