import { z } from 'zod'
import { ValidationError } from '../errors.ts'
import type { Problem } from '../json.ts'
import { description, metadata, shortText } from './fields.ts'

const level = z.union([shortText, z.number()])
const notes = z.string().max(10_000)
/** Id of a stakeholder within the map, not the id of a resource. */
const nodeId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'must consist of at most 64 letters, digits, _ . and -')

const stakeholder = z.strictObject({
  id: nodeId,
  name: shortText,
  role: shortText.optional(),
  organization: shortText.optional(),
  influence: level.optional(),
  interest: level.optional(),
  stance: shortText.optional(),
  notes: notes.optional(),
  attributes: metadata,
})
const relation = { from: nodeId, to: nodeId, type: shortText }
const edge = z.strictObject({ ...relation, strength: z.number().optional(), notes: notes.optional() })

/** Stakeholders and relations, both embedded. Each version contains all of them. */
export const stakeholderMap = z.strictObject({
  description,
  stakeholders: z.array(stakeholder).max(5_000).default([]),
  edges: z.array(edge).max(20_000).default([]),
})

/** Changes to a stakeholder. An absent field is unchanged; null removes the value. */
const update = z.strictObject({
  id: nodeId,
  name: shortText.optional(),
  role: shortText.nullish(),
  organization: shortText.nullish(),
  influence: level.nullish(),
  interest: level.nullish(),
  stance: shortText.nullish(),
  notes: notes.nullish(),
  attributes: z.record(z.string().min(1).max(100), z.json()).optional(),
})
const some = <T extends z.ZodType>(entry: T) => z.array(entry).max(5_000).default([])

/** A delta in the terms of the map. */
export const mapDelta = z
  .strictObject({
    stakeholders: z
      .strictObject({
        add: some(stakeholder),
        update: some(update),
        remove: some(nodeId),
      })
      .partial(),
    edges: z
      .strictObject({
        add: some(edge),
        update: some(z.strictObject({ ...relation, strength: z.number().nullish(), notes: notes.nullish() })),
        /** Relations to remove. Without a type, every relation between the two is removed. */
        remove: some(z.strictObject({ ...relation, type: shortText.optional() })),
      })
      .partial(),
  })
  .partial()
  .refine(delta => Object.values(delta).some(part => part && Object.values(part).some(list => list.length > 0)), {
    message: 'must change something',
  })

export type StakeholderMap = z.output<typeof stakeholderMap>
type MapDelta = z.output<typeof mapDelta>
type Stakeholder = StakeholderMap['stakeholders'][number]
type Edge = StakeholderMap['edges'][number]

/** Lists duplicate ids, duplicate relations, and relations with an unknown stakeholder. */
export function mapProblems({ stakeholders, edges }: StakeholderMap): Problem[] {
  const problems: Problem[] = []
  const ids = new Set<string>()
  for (const [i, { id }] of stakeholders.entries()) {
    if (ids.has(id)) problems.push({ pointer: `/stakeholders/${i}/id`, message: `duplicate stakeholder "${id}"` })
    ids.add(id)
  }
  const known = new Set<string>()
  for (const [i, edge] of edges.entries()) {
    for (const end of ['from', 'to'] as const) {
      if (ids.has(edge[end])) continue
      problems.push({ pointer: `/edges/${i}/${end}`, message: `there is no stakeholder "${edge[end]}"` })
    }
    if (known.has(toEdgeKey(edge))) problems.push({ pointer: `/edges/${i}`, message: 'must be unique' })
    known.add(toEdgeKey(edge))
  }
  return problems
}

/** Returns the map after the delta. Relations of a removed stakeholder are removed as well; throws ValidationError. */
export function applyMapDelta(map: StakeholderMap, delta: MapDelta): StakeholderMap {
  const problems: Problem[] = []
  const refuse = (pointer: string, message: string) => problems.push({ pointer: `/delta${pointer}`, message })
  const people = applyStakeholderDelta(map.stakeholders, delta.stakeholders ?? {}, refuse)
  const removed = new Set(delta.stakeholders?.remove)
  const remaining = map.edges.filter(({ from, to }) => !removed.has(from) && !removed.has(to))
  const edges = applyEdgeDelta(remaining, delta.edges ?? {}, refuse)
  if (problems.length > 0) throw new ValidationError('The delta cannot be applied to the map', problems)
  return { ...map, stakeholders: people, edges }
}

type Refuse = (pointer: string, message: string) => void

function applyStakeholderDelta(people: Stakeholder[], delta: NonNullable<MapDelta['stakeholders']>, refuse: Refuse) {
  const byId = new Map(people.map(person => [person.id, person]))
  for (const [i, id] of (delta.remove ?? []).entries())
    if (!byId.delete(id)) refuse(`/stakeholders/remove/${i}`, `there is no stakeholder "${id}"`)
  for (const [i, change] of (delta.update ?? []).entries()) {
    const person = byId.get(change.id)
    if (person) byId.set(change.id, mergeFields(person, change))
    else refuse(`/stakeholders/update/${i}/id`, `there is no stakeholder "${change.id}"`)
  }
  for (const [i, person] of (delta.add ?? []).entries()) {
    if (byId.has(person.id)) refuse(`/stakeholders/add/${i}/id`, `the stakeholder "${person.id}" already exists`)
    byId.set(person.id, person)
  }
  return [...byId.values()]
}

function applyEdgeDelta(edges: Edge[], delta: NonNullable<MapDelta['edges']>, refuse: Refuse): Edge[] {
  const byKey = new Map(edges.map(edge => [toEdgeKey(edge), edge]))
  for (const [i, removal] of (delta.remove ?? []).entries()) {
    const found = [...byKey.values()].filter(edge => isRelation(edge, removal))
    if (found.length === 0) refuse(`/edges/remove/${i}`, 'the relation does not exist')
    for (const edge of found) byKey.delete(toEdgeKey(edge))
  }
  for (const [i, change] of (delta.update ?? []).entries()) {
    const edge = byKey.get(toEdgeKey(change))
    if (edge) byKey.set(toEdgeKey(change), mergeFields(edge, change))
    else refuse(`/edges/update/${i}`, 'the relation does not exist')
  }
  for (const [i, edge] of (delta.add ?? []).entries()) {
    if (byKey.has(toEdgeKey(edge))) refuse(`/edges/add/${i}`, 'already exists')
    byKey.set(toEdgeKey(edge), edge)
  }
  return [...byKey.values()]
}

const toEdgeKey = ({ from, to, type }: Pick<Edge, 'from' | 'to' | 'type'>): string => JSON.stringify([from, to, type])

const isRelation = (edge: Edge, { from, to, type }: { from: string; to: string; type?: string }): boolean =>
  edge.from === from && edge.to === to && (type === undefined || edge.type === type)

/** Merges a change: null removes a value, an absent field is unchanged, attributes are merged one by one. */
function mergeFields<T extends object>(before: T, change: object): T {
  const after = new Map<string, unknown>(Object.entries(before))
  for (const [key, value] of Object.entries(change) as [string, unknown][]) {
    if (value === null) after.delete(key)
    else if (key === 'attributes') after.set(key, mergeFields(after.get(key) ?? {}, value as object))
    else if (value !== undefined) after.set(key, value)
  }
  return Object.fromEntries(after) as T
}
