import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import { FULL_LIMITS, type WorkLimits } from '../../shared/fairness/work-limits.ts'
import { createCompiler } from './expression.ts'
import { Meter } from './meter.ts'

/** Evaluates one expression. Throws ExpressionError and TooMuchInline. */
export function evaluateExpression(source: string, variables: JsonObject, limits: WorkLimits = FULL_LIMITS): JsonValue {
  const meter = new Meter(limits)
  const expression = createCompiler(Object.keys(variables), meter)(source)
  meter.start()
  return expression.evaluate(variables)
}
