import { z } from 'zod'
import { channelBindings, overlaps } from '../../channels/binding.ts'
import type { Problem } from '../../shared/json/json.ts'
import { description, target } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  target,
  greeting: z.string().max(2_000).nullable().default(null),
  /** The channels on which people reach the receptor. */
  channels: channelBindings,
})

export type ReceptorDocument = z.output<typeof document>

export const receptors = defineKind({
  kind: 'receptors',
  singular: 'receptor',
  document,
  hiddenCoreFields: ['target', 'channels'],
  problems: bindingProblems,
  text: ({ description, greeting }) => joinParagraphs(description, greeting),
})

/** Lists the bindings that repeat an earlier binding. */
function bindingProblems({ channels }: ReceptorDocument): Problem[] {
  return channels.flatMap((binding, i) =>
    channels.slice(0, i).some(earlier => overlaps(earlier, binding))
      ? [{ pointer: `/channels/${i}`, message: 'must not overlap with another binding of the receptor' }]
      : [],
  )
}
