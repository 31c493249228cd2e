import type { Edge, Stakeholder, StakeholderMap } from '../resources/stakeholder-map.ts'
import { describeEdge, describeStakeholder, nameEdge, type Names } from './sentences.ts'

/** A relation from the perspective of one stakeholder. */
export interface BriefedRelation {
  /** The stakeholder at the other end of the relation. */
  stakeholder: { id: string; name: string }
  type: string
  strength: number | null
  notes: string | null
  sentence: string
}

/** The connection between two stakeholders: a shortest chain of relations in either direction. */
export interface BriefedPath {
  to: { id: string; name: string }
  /** The stakeholders along the path, including both ends. Empty if no path exists. */
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

/** A document or meeting that mentions the stakeholder. */
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

/** Everything known about one stakeholder in a map. */
export interface Briefing {
  resource_id: string
  map_title: string
  version: number
  stakeholder: Stakeholder
  relations: { outgoing: BriefedRelation[]; incoming: BriefedRelation[] }
  paths: BriefedPath[]
  /** Newest first. */
  changes: BriefedChange[]
  /** Whether there are older changes that are not listed. */
  has_more_changes: boolean
  /** Null if search is unavailable. */
  mentions: BriefedMention[] | null
  interventions: BriefedIntervention[]
  /** A text in which every sentence cites facts. Null unless it was requested and a model returned one. */
  written: WrittenText | null
  /** Facts cited by the sentences of `written`, numbered from 1. Empty unless a text was requested. */
  facts: string[]
}

export interface WrittenText {
  model: string
  sentences: { text: string; facts: number[] }[]
  /** Number of model sentences that were removed because their citations don't support them. */
  left_out: number
}

export const indexNames = ({ stakeholders }: Pick<StakeholderMap, 'stakeholders'>): Names =>
  new Map(stakeholders.map(({ id, name }) => [id, name]))

/** Lists a stakeholder's relations by direction, strongest first. */
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

/** Finds a shortest path from one stakeholder to each target with one breadth-first search. */
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

/** Lists the facts of a briefing as self-contained sentences. */
export function listFacts(briefing: Omit<Briefing, 'written' | 'facts'>): string[] {
  const { stakeholder, relations, paths, changes, mentions, interventions } = briefing
  const { name, aliases, influence, interest, stance, notes, attributes } = stakeholder
  return [
    `${describeStakeholder(stakeholder)} is a stakeholder of ${briefing.map_title}.`,
    aliases?.length && `${name} is also known as ${aliases.join(', ')}.`,
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
