import type { z } from 'zod'
import type { JsonValue, Problem } from '../shared/json/json.ts'

/**
 * A trigger type. To add one, add a file with this definition and a line in `types/index.ts`. A trigger document
 * stores the settings in a field named after the type. Code that fires triggers of the type calls
 * `createTriggerFiring` (services/triggers/fire.ts).
 */
export interface TriggerType<S extends z.ZodType = z.ZodType> {
  /** Settings schema. Absent fields get their defaults. */
  settings: S
  /** Whether a trigger of this type must have settings. */
  isRequired: boolean
  /** Lists problems that the schema cannot express. Pointers are relative to the settings. */
  problems?(settings: z.output<S>): Problem[]
  /** Fields of `event` in addition to `type`, `at` and `trigger`, each with a description. */
  event: Record<string, string>
  /** The default mapping, used if a trigger has no `input`. */
  defaultInput: JsonValue
}

/** Infers the type of the settings. */
export const defineTriggerType = <S extends z.ZodType>(type: TriggerType<S>): TriggerType<S> => type
