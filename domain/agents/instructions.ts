import { checkTemplate } from '../pathways/expressions/template.ts'
import type { JsonValue, Problem } from '../shared/json/json.ts'
import { FULL_LIMITS, INLINE_LIMITS } from '../shared/fairness/work-limits.ts'

/** Variables available in the instructions of an agent. */
export interface InstructionScope {
  variables: Record<string, JsonValue>
  /** Requester and start time (ISO 8601) of the run. */
  run: { requester: string; at: string }
}

const NAMES = ['variables', 'run'] as const
/** Instructions are rendered on the event loop while a run starts. */
const LIMITS = { ...FULL_LIMITS, units: INLINE_LIMITS.units }

const check = (value: JsonValue) => checkTemplate(value, NAMES, LIMITS)

/** Lists the problems with the expressions in instructions or other values of an agent. */
export const instructionProblems = (value: JsonValue): Problem[] => check(value).problems

/**
 * Renders instructions with the values of the scope. Throws ExpressionError, for example for a variable without a
 * value.
 */
export function fillInstructions(text: string, scope: InstructionScope): string {
  const filled = fillValue(text, scope)
  return typeof filled === 'string' ? filled : JSON.stringify(filled)
}

/** Renders all strings of a value. Throws ExpressionError. */
export const fillValue = (value: JsonValue, scope: InstructionScope): JsonValue => check(value).evaluate({ ...scope })
