import { buildEdgeKey, type Edge, type Stakeholder, type StakeholderMap } from '../resources/stakeholder-map.ts'
import { diffMaps } from './diff.ts'
import { describeEdge, describeStakeholder, showValue } from './sentences.ts'

/** How a person or relation changed between two states. */
export type Mark = 'added' | 'removed' | 'changed'

/** Groups of stances. Pictures use one color per group. */
export const STANCES = ['for', 'mixed', 'neutral', 'against', 'other', 'unknown'] as const
export type StanceGroup = (typeof STANCES)[number]

export interface GraphNode {
  id: string
  name: string
  /** The second line of the label. */
  about: string
  stance: StanceGroup
  /** From 0 to 1. */
  influence: number
  mark?: Mark
  /** A description in a few sentences. */
  description: string
  stakeholder: Stakeholder
}

export interface GraphEdge {
  from: string
  to: string
  label: string
  /** From 0 to 1. */
  weight: number
  mark?: Mark
  description: string
  edge: Edge
}

export interface Graph {
  nodes: GraphNode[]
  edges: GraphEdge[]
}

/** Builds the graph of a map. With a previous state, it includes removed parts and marks the changes. */
export function buildGraph(map: StakeholderMap, former?: StakeholderMap): Graph {
  const diff = former && diffMaps(former, map)
  const people = [...map.stakeholders, ...(diff?.stakeholders.removed ?? [])]
  const edges = [...map.edges, ...(diff?.edges.removed ?? [])]
  const peopleMarks = new Map<string, [Mark, string]>([
    ...(diff?.stakeholders.added ?? []).map(
      person => [person.id, ['added', person.sentence]] as [string, [Mark, string]],
    ),
    ...(diff?.stakeholders.removed ?? []).map(
      person => [person.id, ['removed', person.sentence]] as [string, [Mark, string]],
    ),
    ...(diff?.stakeholders.changed ?? []).map(
      person => [person.id, ['changed', person.sentence]] as [string, [Mark, string]],
    ),
  ])
  const edgeMarks = new Map<string, [Mark, string]>([
    ...(diff?.edges.added ?? []).map(
      edge => [buildEdgeKey(edge), ['added', edge.sentence]] as [string, [Mark, string]],
    ),
    ...(diff?.edges.removed ?? []).map(
      edge => [buildEdgeKey(edge), ['removed', edge.sentence]] as [string, [Mark, string]],
    ),
    ...(diff?.edges.changed ?? []).map(
      edge => [buildEdgeKey(edge), ['changed', edge.sentence]] as [string, [Mark, string]],
    ),
  ])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const toInfluence = createScale(people.map(({ influence }) => influence))
  const toWeight = createScale(edges.map(({ strength }) => strength))
  return {
    nodes: people.map(stakeholder => {
      const [mark, sentence = ''] = peopleMarks.get(stakeholder.id) ?? []
      return {
        id: stakeholder.id,
        name: stakeholder.name,
        about: stakeholder.role ?? stakeholder.organization ?? '',
        stance: groupStance(stakeholder.stance),
        influence: toInfluence(stakeholder.influence),
        mark,
        description: describe(stakeholder, sentence),
        stakeholder,
      }
    }),
    edges: edges.map(edge => {
      const [mark, sentence = ''] = edgeMarks.get(buildEdgeKey(edge)) ?? []
      const description = [describeEdge(edge, names), sentence].filter(Boolean).join('. ')
      const label = edge.type.replaceAll('_', ' ')
      return { from: edge.from, to: edge.to, label, weight: toWeight(edge.strength), mark, description, edge }
    }),
  }
}

function describe(stakeholder: Stakeholder, sentence: string): string {
  const { stance, influence, interest } = stakeholder
  return [
    describeStakeholder(stakeholder),
    stance && `stance ${stance}`,
    influence !== undefined && `influence ${showValue(influence)}`,
    interest !== undefined && `interest ${showValue(interest)}`,
    sentence,
  ]
    .filter(Boolean)
    .join('. ')
}

const GROUPS: [StanceGroup, RegExp][] = [
  ['mixed', /sceptic|skeptic|cautious|mixed|ambivalent|concern|wary|hesita/i],
  ['against', /block|oppos|against|negativ|detract|hostile|critic|resist|unsupport/i],
  ['for', /support|champion|advocat|promot|positiv|favou?r|ally|sponsor|^for$|^pro$/i],
  ['neutral', /neutral|undecided|indifferent|unaware/i],
]

/** Returns the group of a stance, which is free text. */
export function groupStance(stance: string | undefined): StanceGroup {
  if (stance === undefined) return 'unknown'
  return GROUPS.find(([, words]) => words.test(stance))?.[0] ?? 'other'
}

const LEVELS: [RegExp, number][] = [
  [/very high|critical|decisive/i, 1],
  [/high|strong|major/i, 0.85],
  [/medium|moderate|some/i, 0.5],
  [/very low|none|no\b/i, 0.05],
  [/low|weak|minor/i, 0.2],
]
const UNKNOWN_LEVEL = 0.35
/** Upper ends of common scales: a fraction, 0 to 5, 0 to 10, 0 to 100. */
const SCALES = [1, 5, 10, 100]

/**
 * Creates a function that converts levels, in numbers or words, to 0 to 1. Numbers use the smallest scale that fits
 * all of them.
 */
function createScale(levels: (string | number | undefined)[]): (level: string | number | undefined) => number {
  const largest = Math.max(0, ...levels.filter(level => typeof level === 'number'))
  const scale = SCALES.find(end => largest <= end) ?? largest
  return level => {
    if (level === undefined) return UNKNOWN_LEVEL
    if (typeof level === 'number') return Math.min(1, Math.max(0, level / scale))
    return LEVELS.find(([words]) => words.test(level))?.[1] ?? UNKNOWN_LEVEL
  }
}
