import type { JsonValue } from '../shared/json/json.ts'
import type { Edge, Relation, Stakeholder } from '../resources/stakeholder-map.ts'
import type { FieldChange } from './diff.ts'

/** Stakeholder names by id. */
export type Names = ReadonlyMap<string, string>

const MAX_VALUE_CHARS = 200

/** Formats a field value. */
export const showValue = (value: JsonValue): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(showValue).join(', ') : JSON.stringify(value)

/** Returns a description such as `Ann Ito (CFO, Acme)`. */
export function describeStakeholder({ name, role, organization }: Pick<Stakeholder, 'name' | 'role' | 'organization'>) {
  const about = [role, organization].filter(Boolean).join(', ')
  return about ? `${name} (${about})` : name
}

/** Returns a phrase such as `Ann Ito reports to Bob Ray`. */
export const nameEdge = ({ from, to, type }: Relation, names: Names): string =>
  `${names.get(from) ?? from} ${type.replaceAll('_', ' ')} ${names.get(to) ?? to}`

/** Returns a phrase such as `Ann Ito reports to Bob Ray (strength 2): weekly`. */
export function describeEdge(edge: Edge, names: Names): string {
  const strength = edge.strength === undefined ? '' : ` (strength ${edge.strength})`
  return `${nameEdge(edge, names)}${strength}${edge.notes ? `: ${edge.notes}` : ''}`
}

export const describeAddedEdge = (edge: Edge, names: Names): string =>
  `The relation “${describeEdge({ ...edge, notes: undefined }, names)}” was added.`

export const describeRemovedEdge = (edge: Edge, names: Names): string =>
  `The relation “${nameEdge(edge, names)}” was removed.`

/** Returns a phrase such as `stance changed from “neutral” to “supporter”, role “CTO” was removed`. */
export const describeChanges = (changes: FieldChange[]): string => changes.map(describeChange).join('; ')

function describeChange({ field, before, after }: FieldChange): string {
  const name = field.replace(/^attributes\./, '').replaceAll('_', ' ')
  if (before === null) return `${name} was set to ${quote(after)}`
  if (after === null) return `${name} ${quote(before)} was removed`
  return `${name} changed from ${quote(before)} to ${quote(after)}`
}

function quote(value: JsonValue): string {
  if (typeof value === 'number') return String(value)
  const text = showValue(value)
  return `“${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS).toWellFormed()}…` : text}”`
}
