import { ExpressionError, shorten } from './expressions/expression-error.ts'
import { createCompiler, type Expression } from './expressions/expression.ts'
import type { Scope } from './expressions/program.ts'
import type { Meter } from './expressions/meter.ts'
import { compileTemplate, type Mark, type PlacedExpression } from './expressions/template.ts'
import type { JsonValue } from '../shared/json/json.ts'
import type { Binding } from './kinds/kind.ts'

export interface CompiledBinding {
  /** Ids of the nodes that the binding reads. */
  nodes: string[]
  /** Paths of the input fields that the binding reads. */
  inputs: string[][]
  /** Paths that each expression reads, with the pointer to the expression's string. */
  reads: { at: string; path: string[] }[]
  /** Paths that an expression reads without guarding them with `has()`. */
  unguarded: string[][]
  /** All input paths that the binding reads. An empty path means the whole input. */
  inputReads: string[][]
  /** Throws ExpressionError. All expressions of one binding share one budget. */
  evaluate(scope: Scope, mark?: Mark): JsonValue
}

/** Called for each invalid expression. The pointer is relative to the definition. */
export type ReportProblem = (pointer: string, message: string) => void

/** Returns a compiler for the bindings of one graph. `names` lists the variables in scope. */
export function createBindingCompiler(names: readonly string[], meter: Meter, report: ReportProblem) {
  const compile = createCompiler(names, meter)

  function compileCondition(source: string, more: readonly string[] | undefined, at: string): CompiledBinding {
    try {
      const expression = (more ? createCompiler([...names, ...more], meter) : compile)(source)
      return withBudget(bindCondition({ ...expression, at, isWhole: true }), meter)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      report(at, error.message)
      return { nodes: [], inputs: [], reads: [], unguarded: [], inputReads: [], evaluate: () => null }
    }
  }

  return (binding: Binding, pointer: string): CompiledBinding => {
    const at = pointer + binding.at
    if ('expression' in binding) return compileCondition(binding.expression, binding.names, at)
    const template = compileTemplate(binding.template, compile, report, at)
    const { expressions } = template
    const inputs = expressions.flatMap(expression => expression.inputs)
    const unguarded = expressions.flatMap(listUnguarded)
    const inputReads = expressions.flatMap(expression => expression.inputReads)
    const reads = expressions.flatMap(listReads)
    const evaluate = (scope: Scope, mark?: Mark) => template.evaluate(scope, mark)
    return withBudget({ nodes: listNodes(expressions), inputs, reads, unguarded, inputReads, evaluate }, meter)
  }
}

/** Compiles a bare expression that must return a boolean. */
function bindCondition(expression: PlacedExpression): CompiledBinding {
  const { source, type, nodes, inputs, inputReads } = expression
  if (type !== 'bool' && type !== 'dyn') {
    throw new ExpressionError('EXPRESSION_INVALID', `must evaluate to true or false, not to a value of type ${type}`)
  }
  return {
    nodes,
    inputs,
    reads: listReads(expression),
    unguarded: listUnguarded(expression),
    inputReads,
    evaluate(scope) {
      const value = expression.evaluate(scope)
      if (typeof value === 'boolean') return value
      const actual = value === null ? 'null' : typeof value
      throw new ExpressionError(
        'EXPRESSION_FAILED',
        `${shorten(source)}: must evaluate to true or false, not to ${actual}`,
      )
    },
  }
}

const listReads = ({ at, paths }: PlacedExpression) => paths.map(path => ({ at, path }))

const listNodes = (expressions: Expression[]): string[] => [...new Set(expressions.flatMap(({ nodes }) => nodes))]

/** `has(input.a.b)` guards `input.a.b` and its parent fields. */
const listUnguarded = ({ inputs, guards }: Expression): string[][] =>
  inputs.filter(path => !guards.some(guard => path.every((name, i) => guard[i] === name)))

const withBudget = (binding: CompiledBinding, meter: Meter): CompiledBinding => ({
  ...binding,
  evaluate(scope, mark) {
    meter.start()
    return binding.evaluate(scope, mark)
  },
})
