import type { Edge, Stakeholder, StakeholderMap } from '../resources/stakeholder-map.ts'
import { describeEdge, describeStakeholder, nameEdge, type Names } from './sentences.ts'

/** A relation of a stakeholder, seen from there. */
export interface BriefedRelation {
  /** The other end. */
  stakeholder: { id: string; name: string }
  type: string
  strength: number | null
  notes: string | null
  sentence: string
}

/** How a stakeholder is connected to another one: a shortest chain of relations, in either direction. */
export interface BriefedPath {
  to: { id: string; name: string }
  /** The stakeholders on the way, both ends included. Empty where there is no way. */
  through: { id: string; name: string }[]
  sentence: string
}

/** A version that changed the stakeholder or their relations. */
export interface BriefedChange {
  version: number
  at: string
  author: string
  note: string | null
  sentences: string[]
}

/** A document or a meeting that names the stakeholder. */
export interface BriefedMention {
  resource_id: string
  type: string
  title: string
  path: string
  /** The text around the name. */
  excerpt: string
}

export interface BriefedIntervention {
  id: string
  job_id: string
  title: string
  opened_at: string
  due_at: string | null
}

/** All that is known of one stakeholder of a map. */
export interface Briefing {
  resource_id: string
  map_title: string
  version: number
  stakeholder: Stakeholder
  relations: { outgoing: BriefedRelation[]; incoming: BriefedRelation[] }
  paths: BriefedPath[]
  /** Newest first. */
  changes: BriefedChange[]
  /** Whether older changes exist that are not listed. */
  has_more_changes: boolean
  /** Null while search cannot be reached. */
  mentions: BriefedMention[] | null
  interventions: BriefedIntervention[]
  /** A text, in which every sentence cites facts; null unless it was requested and a model gave one. */
  written: WrittenText | null
  /** What the sentences of `written` cite, by number from 1. Empty unless a text was requested. */
  facts: string[]
}

export interface WrittenText {
  model: string
  sentences: { text: string; facts: number[] }[]
  /** How many sentences of the model were left out, because they cite nothing that supports them. */
  left_out: number
}

export const indexNames = ({ stakeholders }: Pick<StakeholderMap, 'stakeholders'>): Names =>
  new Map(stakeholders.map(({ id, name }) => [id, name]))

/** Lists the relations of a stakeholder by direction, the strongest first. */
export function listRelations(edges: Edge[], id: string, names: Names): Briefing['relations'] {
  const toRelation = (edge: Edge, end: 'from' | 'to'): BriefedRelation => ({
    stakeholder: { id: edge[end], name: names.get(edge[end]) ?? edge[end] },
    type: edge.type,
    strength: edge.strength ?? null,
    notes: edge.notes ?? null,
    sentence: describeEdge(edge, names),
  })
  const byStrength = (a: BriefedRelation, b: BriefedRelation) => (b.strength ?? 0) - (a.strength ?? 0)
  return {
    outgoing: edges
      .filter(({ from }) => from === id)
      .map(edge => toRelation(edge, 'to'))
      .toSorted(byStrength),
    incoming: edges
      .filter(({ to }) => to === id)
      .map(edge => toRelation(edge, 'from'))
      .toSorted(byStrength),
  }
}

/** Finds a shortest path from one stakeholder to each of the others, with one search in breadth. */
export function findPaths(edges: Edge[], from: string, targets: string[], names: Names): BriefedPath[] {
  const steps = Map.groupBy(
    edges.flatMap(edge => [
      { at: edge.from, next: edge.to, edge },
      { at: edge.to, next: edge.from, edge },
    ]),
    ({ at }) => at,
  )
  const reachedBy = new Map<string, { previous: string; edge: Edge } | null>([[from, null]])
  for (let front = [from]; front.length > 0;) {
    const following: string[] = []
    for (const id of front) {
      for (const { next, edge } of steps.get(id) ?? []) {
        if (reachedBy.has(next)) continue
        reachedBy.set(next, { previous: id, edge })
        following.push(next)
      }
    }
    front = following
  }
  return targets.map(target => describePath(target, from, reachedBy, names))
}

function describePath(
  target: string,
  from: string,
  reachedBy: Map<string, { previous: string; edge: Edge } | null>,
  names: Names,
): BriefedPath {
  const toEnd = (id: string) => ({ id, name: names.get(id) ?? id })
  const to = toEnd(target)
  if (!reachedBy.has(target))
    return { to, through: [], sentence: `There is no path from ${toEnd(from).name} to ${to.name}.` }
  const through = [to]
  const relations: string[] = []
  for (let step = reachedBy.get(target); step; step = reachedBy.get(step.previous)) {
    through.unshift(toEnd(step.previous))
    relations.unshift(nameEdge(step.edge, names))
  }
  return { to, through, sentence: `${through.map(({ name }) => name).join(' → ')}: ${relations.join('; ')}.` }
}

/** Lists the facts of a briefing as sentences, each of which stands for itself. */
export function listFacts(briefing: Omit<Briefing, 'written' | 'facts'>): string[] {
  const { stakeholder, relations, paths, changes, mentions, interventions } = briefing
  const { name, aliases, influence, interest, stance, notes, attributes } = stakeholder
  return [
    `${describeStakeholder(stakeholder)} is a stakeholder of ${briefing.map_title}.`,
    aliases?.length && `${name} is also called ${aliases.join(', ')}.`,
    influence !== undefined && `The influence of ${name} is ${influence}.`,
    interest !== undefined && `The interest of ${name} is ${interest}.`,
    stance && `The stance of ${name} is ${stance}.`,
    notes && `Note on ${name}: ${notes}`,
    ...Object.entries(attributes).map(([key, value]) => `${key.replaceAll('_', ' ')} of ${name}: ${String(value)}.`),
    ...[...relations.outgoing, ...relations.incoming].map(({ sentence }) => `${sentence}.`),
    ...paths.map(({ sentence }) => sentence),
    ...changes.flatMap(({ version, at, sentences }) =>
      sentences.map(sentence => `In version ${version}, on ${at.slice(0, 10)}: ${sentence}`),
    ),
    ...(mentions ?? []).map(({ title, excerpt }) => `“${title}” mentions ${name}: ${excerpt}`),
    ...interventions.map(({ title }) => `${name} is asked to decide: ${title}.`),
  ].filter(fact => typeof fact === 'string' && fact !== '') as string[]
}
