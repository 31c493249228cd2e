import { z } from 'zod'
import type { JsonSchema } from '../shared/json/json.ts'
import { applyMapDelta } from '../resources/map-delta.ts'
import {
  buildEdgeKey,
  type Edge,
  type MapDelta,
  MAX_EDGES,
  MAX_STAKEHOLDERS,
  type Stakeholder,
  type StakeholderMap,
} from '../resources/stakeholder-map.ts'
import { deriveSlug } from '../shared/text/slug.ts'
import { diffMaps, listSentences } from './diff.ts'

/** Person fields that a text can reveal. */
const FIELDS = ['role', 'organization', 'stance', 'notes'] as const

const text = (max: number) =>
  z
    .string()
    .transform(value => value.replaceAll(/\s+/g, ' ').trim().slice(0, max).toWellFormed())
    .nullish()

/**
 * A model's findings in one part of a text. Unusable entries are dropped without an error, because the result is only
 * a proposal.
 */
export const foundPeople = z.object({
  people: z
    .array(
      z.object({ name: text(500), role: text(500), organization: text(500), stance: text(500), notes: text(2_000) }),
    )
    .max(1_000)
    .catch([]),
  relations: z
    .array(z.object({ from: text(500), to: text(500), type: text(200) }))
    .max(2_000)
    .catch([]),
})
export type FoundPeople = z.output<typeof foundPeople>

const line = (description: string): JsonSchema => ({ type: ['string', 'null'], description })

/** Schema of a model's answer for one part of a text. */
export const FOUND_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    people: {
      type: 'array',
      description: 'The people named in the text',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The full name as written in the text' },
          role: line('Their position, such as CFO'),
          organization: line('Their employer or organization'),
          stance: line('Their attitude: supporter, neutral, sceptical, opponent, or the words of the text'),
          notes: line('One sentence about what the text says about them'),
        },
        required: ['name', 'role', 'organization', 'stance', 'notes'],
        additionalProperties: false,
      },
    },
    relations: {
      type: 'array',
      description: 'Relations between two of these people that the text states',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string', description: 'Full name of the first person' },
          to: { type: 'string', description: 'Full name of the second person' },
          type: { type: 'string', description: 'A verb in snake case, such as reports_to or advises' },
        },
        required: ['from', 'to', 'type'],
        additionalProperties: false,
      },
    },
  },
  required: ['people', 'relations'],
  additionalProperties: false,
}

export interface Proposal {
  delta: MapDelta
  /** Sentences that describe the changes in the delta. */
  sentences: string[]
  /** Whether the delta has no changes. */
  is_empty: boolean
}

/**
 * Converts findings to a delta. People are matched by name or alias, ignoring case. The id of a new person is derived
 * from the name. Nothing is removed. Notes are only set for people without notes. Relations with unknown people are
 * dropped.
 */
export function proposeDelta(map: StakeholderMap, extractions: FoundPeople[]): Proposal {
  const people = new Map<string, Stakeholder>()
  for (const person of map.stakeholders)
    for (const name of [person.name, person.id, ...(person.aliases ?? [])]) people.set(normalizeName(name), person)
  const ids = new Set(map.stakeholders.map(({ id }) => id))
  const add: Stakeholder[] = []
  const update = new Map<string, { id: string } & Partial<Stakeholder>>()
  for (const { name, ...fields } of extractions.flatMap(part => part.people)) {
    if (!name) continue
    const stakeholder = people.get(normalizeName(name))
    const values = Object.fromEntries(FIELDS.flatMap(field => (fields[field] ? [[field, fields[field]]] : [])))
    if (!stakeholder) {
      if (map.stakeholders.length + add.length >= MAX_STAKEHOLDERS) continue
      const person: Stakeholder = { id: createNodeId(name, ids), name, ...values, attributes: {} }
      add.push(person)
      people.set(normalizeName(name), person)
    } else if (add.includes(stakeholder)) Object.assign(stakeholder, { ...values, ...definedOf(stakeholder) })
    else {
      const changes = Object.entries(values).filter(
        ([field, value]) =>
          stakeholder[field as keyof Stakeholder] !== value && !(field === 'notes' && stakeholder.notes),
      )
      if (changes.length > 0)
        update.set(stakeholder.id, {
          ...update.get(stakeholder.id),
          id: stakeholder.id,
          ...Object.fromEntries(changes),
        })
    }
  }
  const edges = proposeEdges(map, extractions, people)
  const delta: MapDelta = {
    ...((add.length > 0 || update.size > 0) && {
      stakeholders: { ...(add.length > 0 && { add }), ...(update.size > 0 && { update: [...update.values()] }) },
    }),
    ...(edges.length > 0 && { edges: { add: edges } }),
  }
  const sentences = listSentences(diffMaps(map, applyMapDelta(map, delta)))
  return { delta, sentences, is_empty: sentences.length === 0 }
}

function proposeEdges(map: StakeholderMap, extractions: FoundPeople[], people: Map<string, Stakeholder>): Edge[] {
  const edgeKeys = new Set(map.edges.map(buildEdgeKey))
  return extractions
    .flatMap(part => part.relations)
    .flatMap(({ from, to, type }) => {
      const [a, b] = [people.get(normalizeName(from ?? '')), people.get(normalizeName(to ?? ''))]
      if (!a || !b || a === b || !type || edgeKeys.size >= MAX_EDGES) return []
      const edge = { from: a.id, to: b.id, type: type.toLowerCase().replaceAll(/\s+/g, '_') }
      if (edgeKeys.has(buildEdgeKey(edge))) return []
      edgeKeys.add(buildEdgeKey(edge))
      return [edge]
    })
}

const definedOf = (person: Stakeholder) =>
  Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined))

const normalizeName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

const MAX_ID_CHARS = 60

function createNodeId(name: string, ids: Set<string>): string {
  const slug = deriveSlug(name, 'person', '0').slice(0, MAX_ID_CHARS).replace(/-+$/, '')
  let id = slug
  for (let n = 2; ids.has(id); n++) id = `${slug}-${n}`
  ids.add(id)
  return id
}
