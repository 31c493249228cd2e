import type { z } from 'zod'
import type { JsonValue, Problem } from '../shared/json/json.ts'

/**
 * A type of trigger. A new one is a file with this definition and a line in `types/index.ts`; its settings are the field of
 * its name in the document of a trigger. What makes it fire calls `createTriggerFiring` (services/triggers/fire.ts).
 */
export interface TriggerType<S extends z.ZodType = z.ZodType> {
  /** Schema of the settings. Absent fields get their defaults. */
  settings: S
  /** Whether a trigger of the type must have settings. */
  isRequired: boolean
  /** Lists problems that the schema cannot express. Pointers begin at the settings. */
  problems?(settings: z.output<S>): Problem[]
  /** The fields of `event` beside `type`, `at` and `trigger`, with a description each. */
  event: Record<string, string>
  /** The mapping of a trigger that has no `input`. */
  defaultInput: JsonValue
}

/** Infers the type of the settings. */
export const defineTriggerType = <S extends z.ZodType>(type: TriggerType<S>): TriggerType<S> => type
