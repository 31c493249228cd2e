import { z } from 'zod'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import { definitionNote } from '../pathways/definition.ts'

export const runDefinitionView = z
  .object({
    id: z.string().nullable().meta({ description: 'The pathway; null where the definition came with the request' }),
    slug: z.string().nullable(),
    title: z.string().nullable(),
    version: z.int().nullable(),
    definition: z.custom<PathwayDefinition>().meta({ type: 'object', ...definitionNote }),
  })
  .meta({ id: 'RunDefinition' })

/** The pathway that a run follows, as it was pinned. */
export type RunDefinitionView = z.output<typeof runDefinitionView>
