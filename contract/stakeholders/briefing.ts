import { z } from 'zod'
import { NODE_ID, nodeId } from '../../domain/resources/stakeholder-map.ts'
import { commaList, flag } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'
import { end, format, resource_id, sentence, stakeholder } from './map.ts'

const MAX_PATHS = 20
export const briefingQuery = z.object({
  resource_id,
  format,
  paths_to: commaList(nodeId, { pattern: NODE_ID.source }, MAX_PATHS)
    .optional()
    .meta({ description: 'Ids of stakeholders to find paths to, separated by commas' }),
  written: flag.optional().meta({
    description:
      'Whether the default model writes a text based on the facts. Sentences without a supporting fact are removed. Default: false.',
  }),
})

const briefedRelation = z.object({
  stakeholder: end,
  type: z.string(),
  strength: z.number().nullable(),
  notes: z.string().nullable(),
  sentence,
})

export const stakeholderBriefing = z
  .object({
    resource_id: z.uuid(),
    map_title: z.string(),
    version: z.int(),
    stakeholder,
    relations: z.object({ outgoing: z.array(briefedRelation), incoming: z.array(briefedRelation) }),
    paths: z.array(z.object({ to: end, through: z.array(end), sentence })),
    changes: z
      .array(
        z.object({
          version: z.int(),
          at: timestamp,
          author: z.string(),
          note: z.string().nullable(),
          sentences: z.array(z.string()),
        }),
      )
      .meta({ description: 'Versions that changed the stakeholder or its relations, newest first' }),
    has_more_changes: z.boolean(),
    mentions: z
      .array(
        z.object({
          resource_id: z.uuid(),
          type: z.string(),
          title: z.string(),
          path: z.string(),
          excerpt: z.string(),
        }),
      )
      .nullable()
      .meta({ description: 'Documents and meetings that mention the stakeholder. Null while search is unavailable.' }),
    interventions: z
      .array(
        z.object({
          id: z.string(),
          job_id: z.string(),
          title: z.string(),
          opened_at: timestamp,
          due_at: timestamp.nullable(),
        }),
      )
      .meta({
        description:
          "Open interventions assigned to the stakeholder's `actor` attribute, or to `user:<node_id>` if it has none",
      }),
    written: z
      .object({
        model: z.string(),
        sentences: z.array(z.object({ text: z.string(), facts: z.array(z.int()) })),
        left_out: z.int().meta({ description: 'Sentences by the model that no fact supports' }),
      })
      .nullable(),
    facts: z.array(z.string()).meta({ description: 'Facts cited in `written`, numbered from 1' }),
  })
  .meta({ id: 'StakeholderBriefing' })
