import { z } from 'zod'
import { person } from '../shared/text.ts'

const ids = z.array(z.uuid()).min(1).max(1_000).optional()

export const handoverBody = z.strictObject({
  to: person.meta({ description: 'Member who takes over the work' }),
  tasks: ids.meta({
    description: 'Default: tasks that name the person, that the person claimed, or that nobody else may answer',
  }),
  triggers: ids.meta({ description: 'Default: all triggers of a person who has left' }),
  dry_run: z
    .boolean()
    .optional()
    .meta({ description: 'true: lists what would be handed over, without changing anything' }),
})

export type HandoverRequest = z.output<typeof handoverBody>

const handedOver = z
  .object({
    id: z.uuid(),
    title: z.string(),
    outcome: z.enum(['handed_over', 'refused']),
    message: z.string().optional().meta({ description: 'Why the handover was refused' }),
  })
  .meta({ id: 'HandedOver' })

/** The result of handing over one task or trigger, or a preview of that result. */
export type HandedOver = z.output<typeof handedOver>

export const handover = z
  .object({
    from: z.string(),
    to: z.string(),
    dry_run: z.boolean(),
    tasks: z.array(handedOver),
    triggers: z.array(handedOver),
  })
  .meta({ id: 'Handover' })

export type Handover = z.output<typeof handover>
