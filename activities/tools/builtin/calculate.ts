import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { Evaluator } from '../../../services/pathways/evaluation/evaluator.ts'
import { invalidArgumentsError, toolFailedError } from '../errors.ts'
import type { Builtin } from './builtin.ts'

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

export interface CalculateDeps {
  evaluator: Evaluator
}

/** Creates the tool that evaluates CEL expressions under the same limits as pathways. */
export const createCalculate =
  ({ evaluator }: CalculateDeps): Builtin =>
  async ({ job, args }) => {
    const { expression, variables = {} } = args as unknown as { expression: string; variables?: JsonObject }
    const unfit = Object.keys(variables).find(name => !NAME.test(name))
    if (unfit !== undefined)
      throw invalidArgumentsError([
        { pointer: '/variables', message: 'must have names that contain only letters, digits and _' },
      ])
    try {
      return { result: await evaluator.evaluate(job.workspace_id, 'evaluateExpression', expression, variables) }
    } catch (error) {
      if (error instanceof ExpressionError) throw toolFailedError(error.message)
      throw error
    }
  }
