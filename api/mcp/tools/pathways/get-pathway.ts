import { z } from 'zod'
import type { PathwayView } from '../../../../services/pathways/types.ts'
import { line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const getPathway = defineTool({
  name: 'get_pathway',
  title: 'Read a pathway',
  description: 'Reads a pathway with its definition; `definition.input` is the JSON Schema of the input of a run.',
  route: 'pathways.get',
  hints: READS,
  input: z.strictObject({ pathway: line().meta({ description: 'Id or slug' }) }),
  output: z.object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    version: z.int(),
    is_active: z.boolean(),
    definition: z.custom<PathwayView['definition']>().meta({ type: 'object' }),
  }),
  async call({ pathways }, { principal }, { pathway }) {
    const { id, slug, title, description, version, is_active, definition } = await pathways.read(principal, pathway)
    return { id, slug, title, description, version, is_active, definition }
  },
})
