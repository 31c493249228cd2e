import { ValidationError } from '../shared/errors.ts'
import type { Problem } from '../shared/json/json.ts'
import { MAX_METADATA_ENTRIES } from './fields.ts'
import {
  buildEdgeKey,
  type Edge,
  endProblems,
  type MapDelta,
  MAX_EDGES,
  MAX_STAKEHOLDERS,
  nameRelation,
  type Relation,
  type Stakeholder,
  type StakeholderMap,
} from './stakeholder-map.ts'

type Refuse = (pointer: string, message: string) => void
type PeopleDelta = NonNullable<MapDelta['stakeholders']>
type EdgesDelta = NonNullable<MapDelta['edges']>
type EdgeRemoval = NonNullable<EdgesDelta['remove']>[number]

/** Maximum number of relations named in a message. */
const MAX_NAMED_RELATIONS = 5

/**
 * Applies a delta to a map. Parts that the delta doesn't change keep their object identity. If the map had no
 * duplicates or relations to unknown stakeholders, the result has none either. Throws ValidationError with each
 * problem by pointer: duplicate names, unknown names, remaining relations of removed stakeholders.
 */
export function applyMapDelta(map: StakeholderMap, delta: MapDelta): StakeholderMap {
  const problems: Problem[] = []
  const refuse: Refuse = (pointer, message) => problems.push({ pointer: `/delta${pointer}`, message })
  refuseRepeatedPeople(delta.stakeholders ?? {}, refuse)
  refuseRepeatedEdges(delta.edges ?? {}, refuse)
  const people = applyToPeople(map.stakeholders, delta.stakeholders ?? {}, refuse)
  const edges = applyToEdges(map.edges, delta, people, refuse)
  if (people.size > MAX_STAKEHOLDERS)
    refuse(
      '/stakeholders/add',
      `the map would have ${people.size} stakeholders, but may have at most ${MAX_STAKEHOLDERS}`,
    )
  if (edges && edges.size > MAX_EDGES)
    refuse('/edges/add', `the map would have ${edges.size} relations, but may have at most ${MAX_EDGES}`)
  if (problems.length > 0) throw new ValidationError('The delta cannot be applied to the map', problems)
  return {
    ...map,
    ...(delta.description !== undefined && { description: delta.description }),
    stakeholders: keepIfEqual(map.stakeholders, people),
    edges: edges ? keepIfEqual(map.edges, edges) : map.edges,
  }
}

/** Returns whether the delta contains no change. */
export const isEmptyMapDelta = ({ description, stakeholders = {}, edges = {} }: MapDelta): boolean =>
  description === undefined &&
  [...Object.values(stakeholders), ...Object.values(edges)].every(list => (list?.length ?? 0) === 0)

/** A delta is a set of changes, so it may name each stakeholder only once. */
function refuseRepeatedPeople({ remove = [], update = [], add = [] }: PeopleDelta, refuse: Refuse): void {
  const named = new Map<string, string>()
  const note = (id: string, pointer: string) => {
    const first = named.get(id)
    if (first) refuse(pointer, `the delta names "${id}" twice: also in ${first}`)
    else named.set(id, pointer)
  }
  for (const [i, id] of remove.entries()) note(id, `/stakeholders/remove/${i}`)
  for (const [i, { id }] of update.entries()) note(id, `/stakeholders/update/${i}/id`)
  for (const [i, { id }] of add.entries()) note(id, `/stakeholders/add/${i}/id`)
}

function refuseRepeatedEdges({ remove = [], update = [], add = [] }: EdgesDelta, refuse: Refuse): void {
  const named = new Map<string, string>()
  const note = (key: string, pointer: string) => {
    const first = named.get(key)
    if (first) refuse(pointer, `the delta names the relation twice: also in ${first}`)
    else named.set(key, pointer)
  }
  for (const [i, removal] of remove.entries()) note(buildRemovalKey(removal), `/edges/remove/${i}`)
  const wholes = new Map(
    remove.flatMap((removal, i) =>
      removal.type === undefined ? [[buildRemovalKey(removal), `/edges/remove/${i}`] as const] : [],
    ),
  )
  const noteOne = (edge: Relation, pointer: string) => {
    const whole = wholes.get(buildRemovalKey({ from: edge.from, to: edge.to }))
    if (whole) refuse(pointer, `the delta names the relation twice: also in ${whole}`)
    note(buildEdgeKey(edge), pointer)
  }
  for (const [i, edge] of update.entries()) noteOne(edge, `/edges/update/${i}`)
  for (const [i, edge] of add.entries()) noteOne(edge, `/edges/add/${i}`)
}

const buildRemovalKey = ({ from, to, type = '' }: EdgeRemoval): string => buildEdgeKey({ from, to, type })

function applyToPeople(
  people: Stakeholder[],
  { remove = [], update = [], add = [] }: PeopleDelta,
  refuse: Refuse,
): Map<string, Stakeholder> {
  const byId = new Map(people.map(person => [person.id, person]))
  for (const [i, id] of remove.entries())
    if (!byId.delete(id)) refuse(`/stakeholders/remove/${i}`, `there is no stakeholder "${id}"`)
  for (const [i, change] of update.entries()) {
    const person = byId.get(change.id)
    if (!person) {
      refuse(`/stakeholders/update/${i}/id`, `there is no stakeholder "${change.id}"`)
      continue
    }
    const updatedPerson = mergeFields(person, change)
    const tooMany = Object.keys(updatedPerson.attributes).length > MAX_METADATA_ENTRIES
    if (tooMany) refuse(`/stakeholders/update/${i}/attributes`, `must have at most ${MAX_METADATA_ENTRIES} entries`)
    byId.set(change.id, updatedPerson)
  }
  for (const [i, person] of add.entries()) {
    if (byId.has(person.id)) refuse(`/stakeholders/add/${i}/id`, `the stakeholder "${person.id}" already exists`)
    else byId.set(person.id, person)
  }
  return byId
}

/** Returns the relations by key, or undefined if the delta doesn't change them. */
function applyToEdges(
  edges: Edge[],
  { stakeholders = {}, edges: delta = {}, cascade = false }: MapDelta,
  people: Map<string, Stakeholder>,
  refuse: Refuse,
): Map<string, Edge> | undefined {
  const { remove = [], update = [], add = [] } = delta
  if (isEmptyMapDelta({ stakeholders: { remove: stakeholders.remove }, edges: delta })) return undefined
  const byKey = new Map(edges.map(edge => [buildEdgeKey(edge), edge]))
  const wholes = remove.some(({ type }) => type === undefined) ? Map.groupBy(edges, buildPairKey) : undefined
  for (const [i, removal] of remove.entries()) {
    const { from, to, type } = removal
    const keys =
      type === undefined
        ? (wholes?.get(buildPairKey({ from, to })) ?? []).map(buildEdgeKey)
        : [buildRemovalKey(removal)]
    const removedKeys = keys.filter(key => byKey.delete(key))
    if (removedKeys.length === 0) refuse(`/edges/remove/${i}`, 'the relation does not exist')
  }
  for (const [i, change] of update.entries()) {
    const edge = byKey.get(buildEdgeKey(change))
    if (edge) byKey.set(buildEdgeKey(change), mergeFields(edge, change))
    else refuse(`/edges/update/${i}`, 'the relation does not exist')
  }
  removeEdgesOf(stakeholders.remove ?? [], byKey, cascade, refuse)
  for (const [i, edge] of add.entries()) {
    for (const { pointer, message } of endProblems(edge, people, `/edges/add/${i}`)) refuse(pointer, message)
    if (byKey.has(buildEdgeKey(edge))) refuse(`/edges/add/${i}`, `the relation ${nameRelation(edge)} already exists`)
    else byKey.set(buildEdgeKey(edge), edge)
  }
  return byKey
}

/** Removes the relations of removed stakeholders. Reports a problem if the delta doesn't request their removal. */
function removeEdgesOf(removedIds: string[], byKey: Map<string, Edge>, cascade: boolean, refuse: Refuse): void {
  if (removedIds.length === 0) return
  const places = new Map(removedIds.map((id, i) => [id, `/stakeholders/remove/${i}`]))
  const remainingEdges = new Map<string, Edge[]>()
  for (const [key, edge] of byKey) {
    const id = [edge.from, edge.to].find(end => places.has(end))
    if (id === undefined) continue
    if (cascade) byKey.delete(key)
    else remainingEdges.set(id, [...(remainingEdges.get(id) ?? []), edge])
  }
  for (const [id, edges] of remainingEdges) {
    const named = edges.slice(0, MAX_NAMED_RELATIONS).map(nameRelation).join(', ')
    const more = edges.length > MAX_NAMED_RELATIONS ? ` and ${edges.length - MAX_NAMED_RELATIONS} more` : ''
    refuse(places.get(id) ?? '', `"${id}" still has relations: ${named}${more}. Remove them, or set cascade to true`)
  }
}

const buildPairKey = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`

/** Returns the original list if nothing in it has changed. */
function keepIfEqual<T>(before: T[], after: Map<string, T>): T[] {
  const values = [...after.values()]
  return values.length === before.length && values.every((value, i) => value === before[i]) ? before : values
}

/**
 * Merges a change: null removes a value, absent fields stay unchanged, attributes are merged individually. Returns
 * the same object if nothing changes.
 */
function mergeFields<T extends object>(before: T, change: object): T {
  const after = new Map<string, unknown>(Object.entries(before))
  for (const [key, value] of Object.entries(change) as [string, unknown][]) {
    if (key === 'attributes') after.set(key, value === null ? {} : mergeFields(after.get(key) ?? {}, value as object))
    else if (value === null) after.delete(key)
    else if (value !== undefined) after.set(key, value)
  }
  const merged = Object.fromEntries(after) as T
  return JSON.stringify(merged) === JSON.stringify(before) ? before : merged
}
