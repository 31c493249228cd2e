import { z } from 'zod'
import { isPrincipalName, PRINCIPAL, PRINCIPAL_RULE } from '../../../domain/access/principal.ts'
import { findResourceKind, KIND_NAMES } from '../../../domain/resources/kinds/index.ts'
import { kindName } from '../../../domain/resources/names.ts'
import { NODE_ID, nodeId } from '../../../domain/resources/stakeholder-map.ts'
import { PICTURE_FORMATS } from '../../../domain/stakeholders/picture.ts'
import { EXTRACTED_KINDS } from '../../../services/stakeholders/extract.ts'
import { jsonValue } from '../../../contract/shared/json.ts'
import { commaList, flag, versionNumber } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import { timestamp } from '../../../contract/shared/time.ts'
import { requireExactlyOne } from '../../../contract/shared/body-rules.ts'

const MAX_PATHS = 20

const resource_id = line()
  .optional()
  .meta({ description: 'Id or slug of the map. Default: the default map of the brain' })
const format = z.enum(['json', 'markdown']).optional().meta({
  description: 'Default: Markdown if `Accept` prefers `text/markdown`, else JSON',
})
const side = z
  .union([z.literal('live'), versionNumber], { error: 'must be a version number or live' })
  .meta({ description: 'A version number, or `live` for the latest version' })

export const mapQuery = z.object({ resource_id, format })
export const diffQuery = z.object({ from: side, to: side, resource_id, format })
export const nodeParams = z.object({ node_id: line().meta({ description: 'Id of the stakeholder in the map' }) })
export const briefingQuery = z.object({
  resource_id,
  format,
  paths_to: commaList(nodeId, { pattern: NODE_ID.source }, MAX_PATHS)
    .optional()
    .meta({ description: 'Ids of stakeholders, separated by commas, to which paths are looked for' }),
  written: flag.optional().meta({
    description:
      'Whether the default model writes a text from the facts. Sentences that cite no fact that supports them are left out. Default: false.',
  }),
})
export const pictureQuery = z.object({
  resource_id,
  version: side.default('live'),
  diff: side.optional().meta({ description: 'The version, or `live`, to which changes are marked' }),
  format: z.enum(PICTURE_FORMATS).default('svg'),
})

const MAX_TEXT_CHARS = 500_000

/** In plural or singular. */
const extractedKind = kindName.pipe(z.enum(EXTRACTED_KINDS)).meta({
  type: 'string',
  enum: KIND_NAMES.filter(name => EXTRACTED_KINDS.some(kind => kind === findResourceKind(name)?.kind)),
})

export const extractBody = requireExactlyOne(
  z.strictObject({
    resource_id,
    source: z
      .strictObject({ type: extractedKind, id: line() })
      .optional()
      .meta({ description: 'A document or a meeting, by kind and by id or slug' }),
    text: z.string().max(MAX_TEXT_CHARS).regex(/\S/u, 'must not be empty').optional(),
    model: line(200).optional().meta({ description: 'Default: the default model of the installation' }),
    assignees: z
      .array(z.string().max(210).refine(isPrincipalName, PRINCIPAL_RULE).meta({ pattern: PRINCIPAL.source }))
      .max(100)
      .default([])
      .meta({ description: 'Who may approve, such as user:ann. Default: all who may write to the brain' }),
  }),
  ['source', 'text'],
)

const end = z.object({ id: z.string(), name: z.string() })
const change = z.object({ field: z.string(), before: jsonValue, after: jsonValue })
const sentence = z.string().meta({ description: 'The same in words' })
const stakeholder = z.looseObject({ id: z.string(), name: z.string() })
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

const briefedRelation = z.object({
  stakeholder: end,
  type: z.string(),
  strength: z.number().nullable(),
  notes: z.string().nullable(),
  sentence,
})

export const briefing = z
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
      .meta({ description: 'Versions that changed the stakeholder or their relations, newest first' }),
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
      .meta({ description: 'Documents and meetings that name the stakeholder; null while search cannot be reached' }),
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
          'Open interventions assigned to the attribute `actor` of the stakeholder, else to `user:<node_id>`',
      }),
    written: z
      .object({
        model: z.string(),
        sentences: z.array(z.object({ text: z.string(), facts: z.array(z.int()) })),
        left_out: z.int().meta({ description: 'Sentences of the model that no fact supports' }),
      })
      .nullable(),
    facts: z.array(z.string()).meta({ description: 'What `written` cites, by number from 1' }),
  })
  .meta({ id: 'StakeholderBriefing' })
