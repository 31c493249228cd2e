import { checkTemplate } from '../pathways/expressions/template.ts'
import type { JsonValue, Problem } from '../shared/json/json.ts'
import { FULL_LIMITS, INLINE_LIMITS } from '../shared/fairness/work-limits.ts'

/** Values that the instructions of a neuron may use. */
export interface InstructionScope {
  variables: Record<string, JsonValue>
  /** Requester and start time (ISO 8601) of the run. */
  run: { requester: string; at: string }
}

const NAMES = ['variables', 'run'] as const
/** They are filled on event loops, while a run starts. */
const LIMITS = { ...FULL_LIMITS, units: INLINE_LIMITS.units }

const check = (value: JsonValue) => checkTemplate(value, NAMES, LIMITS)

/** Lists the problems of the expressions in instructions, or in other values of a neuron. */
export const instructionProblems = (value: JsonValue): Problem[] => check(value).problems

/** Fills the values into instructions. Throws ExpressionError, for example for a variable without a value. */
export function fillInstructions(text: string, scope: InstructionScope): string {
  const filled = fillValue(text, scope)
  return typeof filled === 'string' ? filled : JSON.stringify(filled)
}

/** Fills the values into the texts of any value. Throws ExpressionError. */
export const fillValue = (value: JsonValue, scope: InstructionScope): JsonValue => check(value).evaluate({ ...scope })
