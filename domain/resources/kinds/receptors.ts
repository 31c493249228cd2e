import { z } from 'zod'
import { description, target } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  target,
  greeting: z.string().max(2_000).nullable().default(null),
})

export const receptors = defineKind({
  kind: 'receptors',
  singular: 'receptor',
  document,
  hiddenCoreFields: ['target'],
  text: ({ description, greeting }) => joinParagraphs(description, greeting),
})
