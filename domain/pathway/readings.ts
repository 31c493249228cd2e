import { createCompiler, type Expression, ExpressionError, type Scope, shorten } from '../expressions/expression.ts'
import type { Meter } from '../expressions/meter.ts'
import { compileTemplate } from '../expressions/template.ts'
import type { JsonValue } from '../json.ts'
import type { Reading } from './kinds/kind.ts'

/** A reading, compiled: which nodes it looks at, and how to evaluate it. */
export interface CompiledReading {
  nodes: string[]
  /** Fields of the input it looks at, each as the names that lead to it. */
  inputs: string[][]
  /** Throws ExpressionError. All expressions of one reading share one budget. */
  evaluate(scope: Scope): JsonValue
}

/** Called with each expression that can't be read; the pointer is below the graph's own. */
export type ReportProblem = (pointer: string, message: string) => void

/** Compiles the readings of one graph, in which these names are known. */
export function createReader(names: readonly string[], meter: Meter, report: ReportProblem) {
  const compile = createCompiler(names, meter)

  function compileCondition(source: string, more: readonly string[] | undefined, at: string): CompiledReading {
    try {
      return metered(condition((more ? createCompiler([...names, ...more], meter) : compile)(source)), meter)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      report(at, error.message)
      return { nodes: [], inputs: [], evaluate: () => null }
    }
  }

  return (reading: Reading, pointer: string): CompiledReading => {
    const at = pointer + reading.at
    if ('expression' in reading) return compileCondition(reading.expression, reading.names, at)
    const template = compileTemplate(reading.template, compile, report, at)
    const { expressions } = template
    const inputs = expressions.flatMap(expression => expression.inputs)
    return metered({ nodes: nodesOf(expressions), inputs, evaluate: scope => template.evaluate(scope) }, meter)
  }
}

/** Bare expressions decide something, so they give true or false and nothing that might be taken for it. */
function condition(expression: Expression): CompiledReading {
  const { source, type, nodes, inputs } = expression
  if (type !== 'bool' && type !== 'dyn') {
    throw new ExpressionError('EXPRESSION_INVALID', `must evaluate to true or false, not to a value of type ${type}`)
  }
  return {
    nodes,
    inputs,
    evaluate(scope) {
      const value = expression.evaluate(scope)
      if (typeof value === 'boolean') return value
      const given = value === null ? 'null' : typeof value
      throw new ExpressionError(
        'EXPRESSION_FAILED',
        `${shorten(source)}: must evaluate to true or false, not to ${given}`,
      )
    },
  }
}

const nodesOf = (expressions: Expression[]): string[] => [...new Set(expressions.flatMap(({ nodes }) => nodes))]

const metered = (reading: CompiledReading, meter: Meter): CompiledReading => ({
  ...reading,
  evaluate(scope) {
    meter.start()
    return reading.evaluate(scope)
  },
})
