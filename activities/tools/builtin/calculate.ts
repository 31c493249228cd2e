import { createCompiler, ExpressionError } from '../../../domain/expressions/expression.ts'
import { Meter } from '../../../domain/expressions/meter.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { argumentsInvalid, toolFailed } from '../errors.ts'
import type { Builtin } from './builtin.ts'

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

/** Evaluates CEL under the same meter as pathways do. */
export const calculate: Builtin = ({ args }): JsonValue => {
  const { expression, variables = {} } = args as unknown as { expression: string; variables?: JsonObject }
  const unfit = Object.keys(variables).find(name => !NAME.test(name))
  if (unfit !== undefined)
    throw argumentsInvalid([{ pointer: '/variables', message: 'must have names of letters, digits and _' }])
  const meter = new Meter()
  try {
    const compiled = createCompiler(Object.keys(variables), meter)(expression)
    meter.start()
    return { result: compiled.evaluate(variables) }
  } catch (error) {
    if (error instanceof ExpressionError) throw toolFailed(error.message)
    throw error
  }
}
