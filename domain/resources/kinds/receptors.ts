import { z } from 'zod'
import { description, shortText, target } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  target,
  /** Addresses of the receptor, beside its URL. */
  channels: z
    .array(z.strictObject({ type: shortText, address: shortText }))
    .max(50)
    .default([]),
  greeting: z.string().max(2_000).nullable().default(null),
})

export const receptors = defineKind({
  kind: 'receptors',
  singular: 'receptor',
  document,
  hiddenCoreFields: ['target', 'channels'],
  text: ({ description, greeting }) => joinParagraphs(description, greeting),
})
