import { z } from 'zod'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import { definitionNote } from '../pathways/definition.ts'

export const runDefinitionView = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: 'Stored pathway. Null if the definition was sent with the request.' }),
    slug: z.string().nullable(),
    title: z.string().nullable(),
    version: z.int().nullable(),
    definition: z.custom<PathwayDefinition>().meta({ type: 'object', ...definitionNote }),
  })
  .meta({ id: 'RunDefinition' })

/** The pathway version that a run uses. */
export type RunDefinitionView = z.output<typeof runDefinitionView>
