import { z } from 'zod'
import { defineKind } from '../kind.ts'

/** Maximum length of a memory in characters. */
export const MAX_RECOLLECTION_CHARS = 4_000

const document = z.strictObject({
  text: z.string().min(1).max(MAX_RECOLLECTION_CHARS),
  /** Id of the agent that remembers the text. */
  neuron_id: z.uuid(),
  /** Thread and job from which the text comes. Null if a person wrote the text. */
  source: z
    .strictObject({ trace_id: z.uuid(), job_id: z.string().max(300) })
    .nullable()
    .default(null),
})

export type RecollectionDocument = z.output<typeof document>

/** Memories of agents. Searches and trees include them only if they are requested by name. */
export const recollections = defineKind({
  kind: 'recollections',
  singular: 'recollection',
  document,
  isHidden: true,
  text: ({ text }) => text,
  metadata: ({ neuron_id }) => ({ neuron_id }),
})
