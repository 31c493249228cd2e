import { z } from 'zod'
import { description, longText, shortText } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  instructions: longText.default(''),
  files: z
    .array(z.strictObject({ name: shortText, text: longText }))
    .max(100)
    .default([]),
})

export const skills = defineKind({
  kind: 'skills',
  singular: 'skill',
  document,
  text: ({ description, instructions, files }) =>
    joinParagraphs(description, instructions, ...files.map(({ name, text }) => `## ${name}\n\n${text}`)),
})
