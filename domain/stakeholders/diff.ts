import {
  buildEdgeKey,
  type Edge,
  type Relation,
  type Stakeholder,
  type StakeholderMap,
} from '../resources/stakeholder-map.ts'
import type { JsonValue } from '../shared/json/json.ts'
import {
  describeAddedEdge,
  describeChanges,
  describeRemovedEdge,
  describeStakeholder,
  nameEdge,
  type Names,
} from './sentences.ts'

type Snapshot = Pick<StakeholderMap, 'stakeholders' | 'edges'>

/** A field with a different value. Missing values are null. Attributes are named `attributes.<name>`. */
export interface FieldChange {
  field: string
  before: JsonValue
  after: JsonValue
}

/** The difference between two states of a map. Each entry has a sentence that describes it. */
export interface MapDiff {
  stakeholders: {
    added: (Stakeholder & { sentence: string })[]
    removed: (Stakeholder & { sentence: string })[]
    changed: { id: string; name: string; changes: FieldChange[]; sentence: string }[]
  }
  edges: {
    added: (Edge & { sentence: string })[]
    removed: (Edge & { sentence: string })[]
    changed: (Relation & { changes: FieldChange[]; sentence: string })[]
  }
}

/** Compares two states of a map. `knownNames` provides the names of stakeholders that are in neither state. */
export function diffMaps(before: Snapshot, after: Snapshot, knownNames: Iterable<[string, string]> = []): MapDiff {
  const stakeholders = [...before.stakeholders, ...after.stakeholders]
  const names: Names = new Map([...knownNames, ...stakeholders.map(({ id, name }) => [id, name] as const)])
  const people = compareLists(before.stakeholders, after.stakeholders, ({ id }) => id)
  const edges = compareLists(before.edges, after.edges, buildEdgeKey)
  return {
    stakeholders: {
      added: people.added.map(person => ({ ...person, sentence: `${describeStakeholder(person)} was added.` })),
      removed: people.removed.map(person => ({ ...person, sentence: `${describeStakeholder(person)} was removed.` })),
      changed: people.changed.map(({ now, changes }) => ({
        id: now.id,
        name: now.name,
        changes,
        sentence: `${now.name}: ${describeChanges(changes)}.`,
      })),
    },
    edges: {
      added: edges.added.map(edge => ({ ...edge, sentence: describeAddedEdge(edge, names) })),
      removed: edges.removed.map(edge => ({ ...edge, sentence: describeRemovedEdge(edge, names) })),
      changed: edges.changed.map(({ now: { from, to, type }, changes }) => ({
        from,
        to,
        type,
        changes,
        sentence: `“${nameEdge({ from, to, type }, names)}”: ${describeChanges(changes)}.`,
      })),
    },
  }
}

/** Returns all sentences of a comparison. */
export const listSentences = ({ stakeholders, edges }: MapDiff): string[] =>
  [stakeholders, edges].flatMap(({ added, removed, changed }) =>
    [...added, ...removed, ...changed].map(({ sentence }) => sentence),
  )

interface ListComparison<T> {
  added: T[]
  removed: T[]
  changed: { now: T; changes: FieldChange[] }[]
}

function compareLists<T extends object>(before: T[], after: T[], toKey: (entry: T) => string): ListComparison<T> {
  const index = (list: T[]): Map<string, T> => new Map(list.map(entry => [toKey(entry), entry]))
  const [old, now] = [index(before), index(after)]
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, entry]) => entry),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, entry]) => entry),
    changed: [...now].flatMap(([key, entry]) => {
      const former = old.get(key)
      const changes = former && former !== entry ? compareFields(former, entry) : []
      return changes.length > 0 ? [{ now: entry, changes }] : []
    }),
  }
}

function compareFields(before: object, after: object): FieldChange[] {
  const [old, now] = [flattenFields(before), flattenFields(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap(field => {
    const [a = null, b = null] = [old.get(field), now.get(field)]
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ field, before: a, after: b }]
  })
}

function flattenFields(entry: object): Map<string, JsonValue> {
  const { attributes = {}, ...fields } = entry as { attributes?: Record<string, JsonValue> }
  return new Map<string, JsonValue>([
    ...Object.entries<JsonValue>(fields),
    ...Object.entries(attributes).map(([name, value]): [string, JsonValue] => [`attributes.${name}`, value]),
  ])
}
