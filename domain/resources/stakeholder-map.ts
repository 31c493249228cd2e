import { z } from 'zod'
import type { Problem } from '../shared/json/json.ts'
import { description, metadata, shortText } from './fields.ts'

export const MAX_STAKEHOLDERS = 5_000
export const MAX_EDGES = 20_000
const MAX_ALIASES = 20

const level = z.union([shortText, z.number()])
const notes = z.string().max(10_000)
const aliases = z.array(shortText).max(MAX_ALIASES)
const attributes = metadata

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Stakeholder id within the map. It is not a resource id. */
export const NODE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
export const nodeId = z
  .string()
  .regex(NODE_ID, 'must consist of at most 64 letters, digits, _ . and -')
  .refine(id => !UUID.test(id), 'must be a short id within the map, not a UUID')

const stakeholder = z.strictObject({
  id: nodeId,
  name: shortText,
  aliases: aliases.optional(),
  role: shortText.optional(),
  organization: shortText.optional(),
  influence: level.optional(),
  interest: level.optional(),
  stance: shortText.optional(),
  notes: notes.optional(),
  attributes,
})
const relation = { from: nodeId, to: nodeId, type: shortText }
const edge = z.strictObject({ ...relation, strength: z.number().optional(), notes: notes.optional() })

/** Stakeholders and relations. Each version contains all of them. */
export const stakeholderMap = z.strictObject({
  description,
  stakeholders: z.array(stakeholder).max(MAX_STAKEHOLDERS).default([]),
  edges: z.array(edge).max(MAX_EDGES).default([]),
})

/** Changes to a stakeholder. Absent fields stay unchanged; null removes a value. */
const update = z.strictObject({
  id: nodeId,
  name: shortText.optional(),
  aliases: aliases.nullish(),
  role: shortText.nullish(),
  organization: shortText.nullish(),
  influence: level.nullish(),
  interest: level.nullish(),
  stance: shortText.nullish(),
  notes: notes.nullish(),
  attributes: z
    .record(z.string().min(1).max(100), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
    .nullish(),
})
const edgeUpdate = z.strictObject({ ...relation, strength: z.number().nullish(), notes: notes.nullish() })
/** A relation to remove. Without a type, all relations in this direction are removed. */
const edgeRemoval = z.strictObject({ ...relation, type: shortText.optional() })

const people = <T extends z.ZodType>(entry: T) => z.array(entry).max(MAX_STAKEHOLDERS).optional()
const relations = <T extends z.ZodType>(entry: T) => z.array(entry).max(MAX_EDGES).optional()

/** The kind-specific delta of a map. */
export const mapDelta = z.strictObject({
  description: z.string().max(10_000).nullish(),
  stakeholders: z.strictObject({ add: people(stakeholder), update: people(update), remove: people(nodeId) }).optional(),
  edges: z
    .strictObject({ add: relations(edge), update: relations(edgeUpdate), remove: relations(edgeRemoval) })
    .optional(),
  /**
   * Whether to remove the relations of removed stakeholders as well. If not, the delta must list these relations for
   * removal.
   */
  cascade: z.boolean().optional(),
})

export type StakeholderMap = z.output<typeof stakeholderMap>
export type MapDelta = z.output<typeof mapDelta>
export type Stakeholder = StakeholderMap['stakeholders'][number]
export type Edge = StakeholderMap['edges'][number]
export type Relation = Pick<Edge, 'from' | 'to' | 'type'>

/** Lists duplicate ids, duplicate relations, and relations to unknown stakeholders. */
export function mapProblems({ stakeholders, edges }: StakeholderMap): Problem[] {
  const problems: Problem[] = []
  const ids = new Set<string>()
  for (const [i, { id }] of stakeholders.entries()) {
    if (ids.has(id)) problems.push({ pointer: `/stakeholders/${i}/id`, message: `duplicate stakeholder "${id}"` })
    ids.add(id)
  }
  const idSet = new Set<string>()
  for (const [i, edge] of edges.entries()) {
    problems.push(...endProblems(edge, ids, `/edges/${i}`))
    if (idSet.has(buildEdgeKey(edge))) problems.push({ pointer: `/edges/${i}`, message: 'must be unique' })
    idSet.add(buildEdgeKey(edge))
  }
  return problems
}

/** Lists the ends of a relation that don't exist or that are identical. */
export function endProblems({ from, to }: Relation, ids: { has(id: string): boolean }, pointer: string): Problem[] {
  const problems = Object.entries({ from, to })
    .filter(([, id]) => !ids.has(id))
    .map(([end, id]) => ({ pointer: `${pointer}/${end}`, message: `there is no stakeholder "${id}"` }))
  if (from === to) problems.push({ pointer: `${pointer}/to`, message: 'must differ from the stakeholder in from' })
  return problems
}

/** Returns the identity of a relation: from, to and type. The separator cannot occur in an id. */
export const buildEdgeKey = ({ from, to, type }: Relation): string => `${from} ${to} ${type}`

/** Formats a relation for messages: `ann → bob (reports to)`. */
export const nameRelation = ({ from, to, type }: Relation): string => `${from} → ${to} (${type.replaceAll('_', ' ')})`
