import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** Returns JSON text for a column that is null without a value. */
export const toJsonOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : toStorableJson(value)
