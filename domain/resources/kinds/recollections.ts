import { z } from 'zod'
import { defineKind } from '../kind.ts'

const document = z.strictObject({
  text: z.string().min(1).max(4_000),
  /** The neuron whose memory it is. */
  neuron_id: z.uuid(),
  /** Where it was said; none where somebody wrote it down by hand. */
  source: z
    .strictObject({ trace_id: z.uuid(), job_id: z.string().max(300) })
    .nullable()
    .default(null),
})

export type RecollectionDocument = z.output<typeof document>

/** What neurons remember. It is theirs: searches and trees show it only to who asks for it by name. */
export const recollections = defineKind({
  kind: 'recollections',
  singular: 'recollection',
  document,
  isHidden: true,
  text: ({ text }) => text,
  metadata: ({ neuron_id }) => ({ neuron_id }),
})
