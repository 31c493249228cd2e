import { z } from 'zod'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'

export const listPathways = defineTool({
  name: 'list_pathways',
  title: 'List pathways',
  description: 'Lists the pathways that can be run. get_pathway has the input of one.',
  route: 'pathways.list',
  hints: READS,
  input: z.strictObject(page),
  output: z.object({
    pathways: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        path: z.string(),
        version: z.int(),
      }),
    ),
    total,
  }),
  async call({ pathways }, { principal }, page) {
    const found = await pathways.list(principal, { ...page, is_active: true })
    const shown = found.data.map(({ id, slug, title, description, path, version }) => ({
      id,
      slug,
      title,
      description,
      path,
      version,
    }))
    return { pathways: shown, total: found.total }
  },
})
