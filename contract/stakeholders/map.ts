import { z } from 'zod'
import type { MapDiff } from '../../domain/stakeholders/diff.ts'
import { PICTURE_FORMATS } from '../../domain/stakeholders/picture.ts'
import { jsonValue } from '../shared/json.ts'
import { versionNumber } from '../shared/query.ts'
import { line } from '../shared/text.ts'

export const resource_id = line()
  .optional()
  .meta({ description: "Id or slug of the map. Default: the brain's default map." })
export const format = z.enum(['json', 'markdown']).optional().meta({
  description: 'Default: Markdown if `Accept` prefers `text/markdown`, otherwise JSON',
})
const side = z
  .union([z.literal('live'), versionNumber], { error: 'must be a version number or live' })
  .meta({ description: 'Version number, or `live` for the latest version' })

export const mapQuery = z.object({ resource_id, format })
export const mapDiffQuery = z.object({ from: side, to: side, resource_id, format })
export const pictureQuery = z.object({
  resource_id,
  version: side.default('live'),
  diff: side
    .optional()
    .meta({ description: 'Version to compare with, or `live`. Changes since that version are marked.' }),
  format: z.enum(PICTURE_FORMATS).default('svg'),
})

export type PictureRequest = z.output<typeof pictureQuery>

export const end = z.object({ id: z.string(), name: z.string() })
const change = z.object({ field: z.string(), before: jsonValue, after: jsonValue })
export const sentence = z.string().meta({ description: 'Changes as text' })
export const stakeholder = z.looseObject({ id: z.string(), name: z.string() })
const relation = { from: z.string(), to: z.string(), type: z.string() }

export const mapDiff = z
  .object({
    resource_id: z.uuid(),
    title: z.string(),
    from: z.int(),
    to: z.int(),
    stakeholders: z.object({
      added: z.array(stakeholder.extend({ sentence })),
      removed: z.array(stakeholder.extend({ sentence })),
      changed: z.array(z.object({ id: z.string(), name: z.string(), changes: z.array(change), sentence })),
    }),
    edges: z.object({
      added: z.array(z.looseObject({ ...relation, sentence })),
      removed: z.array(z.looseObject({ ...relation, sentence })),
      changed: z.array(z.object({ ...relation, changes: z.array(change), sentence })),
    }),
  })
  .meta({ id: 'MapDiff' })

export type MapDiffView = MapDiff & Pick<z.output<typeof mapDiff>, 'resource_id' | 'title' | 'from' | 'to'>
