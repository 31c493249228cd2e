import { defineKind, joinParagraphs } from '../kind.ts'
import { applyMapDelta, isEmptyMapDelta } from '../map-delta.ts'
import { type MapDelta, mapDelta, mapProblems, stakeholderMap, type StakeholderMap } from '../stakeholder-map.ts'

export const stakeholderMaps = defineKind({
  kind: 'stakeholder_maps',
  singular: 'stakeholder_map',
  document: stakeholderMap,
  problems: mapProblems,
  isDocument: true,
  hasSearchableVersions: true,
  isHashedAsText: true,
  text: mapText,
  snapshotFields: ['stakeholders', 'edges'],
  delta: {
    shape: mapDelta,
    apply: (map, delta) => applyMapDelta(map, delta as MapDelta),
    isEmpty: delta => isEmptyMapDelta(delta as MapDelta),
    isRequired: true,
    isComplete: true,
  },
})

/** Returns a paragraph for each stakeholder, and a line with both stakeholder names for each relation. */
function mapText({ description, stakeholders, edges }: StakeholderMap): string {
  const names = new Map(stakeholders.map(({ id, name }) => [id, name]))
  const people = stakeholders.map(person => {
    const { name, aliases = [], role, organization, influence, interest, stance, notes, attributes } = person
    const facts = [
      aliases.length > 0 && `also ${aliases.join(', ')}`,
      role,
      organization,
      influence && `influence ${influence}`,
      interest && `interest ${interest}`,
      stance && `stance ${stance}`,
      ...Object.entries(attributes).map(([key, value]) => `${key} ${String(value)}`),
    ]
    return joinParagraphs(`## ${name}`, facts.filter(Boolean).join(', '), notes)
  })
  const relations = edges.map(({ from, to, type, notes }) =>
    [`${names.get(from)} ${type.replaceAll('_', ' ')} ${names.get(to)}`, notes].filter(Boolean).join(': '),
  )
  return joinParagraphs(description, ...people, ...(relations.length > 0 ? ['## Relations', ...relations] : []))
}
