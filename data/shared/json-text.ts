import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** Returns JSON text, or null for an undefined value. */
export const toJsonOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : toStorableJson(value)
