import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import { SHOWN_TEXTS } from '../../../domain/people/evidence/statement.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'

/** Returns exactly what an intervention showed. Fields that were absent are left out. */
export function readShown(record: InterventionRecord): JsonObject {
  const { kind, title, description, form, questions, context, node_id, due_at, shown_hash } = record
  const fields = { kind, title, description, form, questions, context, node_id, due_at }
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as JsonObject
  // A context that is null is stored like none.
  const withNull = { ...present, context: null }
  return hashCanonical(withNull) === shown_hash ? withNull : present
}

/** Returns those parts of it that are texts and values. */
export function readShownTexts(record: InterventionRecord): JsonObject {
  const shownContent = readShown(record)
  const names = SHOWN_TEXTS.filter(name => Object.hasOwn(shownContent, name))
  return Object.fromEntries(names.map(name => [name, shownContent[name] as JsonValue]))
}
