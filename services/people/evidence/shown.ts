import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import { SHOWN_TEXTS } from '../../../domain/people/evidence/statement.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'

/** Returns exactly what an intervention displayed. Absent fields are omitted. */
export function readShown(record: InterventionRecord): JsonObject {
  const { kind, title, description, form, questions, context, node_id, due_at, shown_hash } = record
  const fields = { kind, title, description, form, questions, context, node_id, due_at }
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as JsonObject
  // A null context is stored as an absent context.
  const withNull = { ...present, context: null }
  return hashCanonical(withNull) === shown_hash ? withNull : present
}

/** Returns only the displayed texts and values. */
export function readShownTexts(record: InterventionRecord): JsonObject {
  const shownContent = readShown(record)
  const names = SHOWN_TEXTS.filter(name => Object.hasOwn(shownContent, name))
  return Object.fromEntries(names.map(name => [name, shownContent[name] as JsonValue]))
}
