import { z } from 'zod'
import { description, jsonObject, shortText, target } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z
  .strictObject({
    description,
    trigger_type: z.enum(['schedule', 'webhook', 'chat', 'manual', 'event']).default('manual'),
    target,
    input: jsonObject.default({}),
    schedule: z.strictObject({ cron: shortText, time_zone: shortText.default('UTC') }).optional(),
    event: z.strictObject({ types: z.array(shortText).min(1).max(20) }).optional(),
  })
  .refine(({ trigger_type, schedule }) => trigger_type !== 'schedule' || schedule, {
    path: ['schedule'],
    message: 'is required for a schedule',
  })
  .refine(({ trigger_type, event }) => trigger_type !== 'event' || event, {
    path: ['event'],
    message: 'is required for an event',
  })

export const triggers = defineKind({
  kind: 'triggers',
  singular: 'trigger',
  document,
  text: ({ description }) => joinParagraphs(description),
  metadata: ({ trigger_type }) => ({ trigger_type }),
})
