import canonicalize from 'canonicalize'
import { hashCanonical } from '../../data/canonical-hash.ts'
import type { InterventionRecord } from '../../data/interventions-store.ts'

/** What people were shown, as canonical JSON, with its hash. */
export interface Shown {
  shown: object
  /** The canonical JSON (RFC 8785) of `shown`, of which `shown_hash` is the SHA-256. */
  shown_json: string
  /** As it was recorded when the intervention opened. */
  shown_hash: string
  /** Whether the content still has that hash. */
  shown_hash_matches: boolean
}

/** Returns exactly what an intervention showed. Fields that were absent are left out. */
export function readShown(record: InterventionRecord): Shown {
  const { kind, title, description, form, questions, context, node_id, due_at, shown_hash } = record
  const fields = { kind, title, description, form, questions, context, node_id, due_at }
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  // A context that is null is stored like none.
  const candidates = [present, { ...present, context: null }]
  const shown = candidates.find(one => hashCanonical(one) === shown_hash)
  const best = shown ?? present
  return { shown: best, shown_json: canonicalize(best) ?? '', shown_hash, shown_hash_matches: shown !== undefined }
}
