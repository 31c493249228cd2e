import { z } from 'zod'
import { kindName } from '../../../../domain/resources/names.ts'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'
import { toReference } from '../../resources/references.ts'

export const browse = defineTool({
  name: 'browse',
  title: 'Browse',
  description: 'Lists the resources of a kind, last changed first.',
  route: 'browse.list',
  hints: READS,
  input: z.strictObject({ type: kindName.meta({ description: 'Such as assets, artifacts or pathways' }), ...page }),
  output: z.object({
    entries: z.array(
      z.object({
        id: z.string().meta({ description: 'For fetch' }),
        title: z.string(),
        slug: z.string(),
        path: z.string(),
        version: z.int(),
        updated_at: z.string(),
      }),
    ),
    total,
  }),
  async call({ discovery }, { principal }, request) {
    const found = await discovery.browse(principal, { ...request, full_heads: false })
    const entries = found.data.map(({ id, type, title, slug, path, version, updated_at }) => ({
      id: toReference(type, id),
      title,
      slug,
      path,
      version,
      updated_at,
    }))
    return { entries, total: found.total }
  },
})
