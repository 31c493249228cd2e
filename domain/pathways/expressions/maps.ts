import type { ASTNode } from '@marcbachmann/cel-js'

/** Data with this key. The library finds the type of an object by its `constructor`, which is then a value of the data. */
export const hidesType = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor')

/** The library accepts a Map as well, whose keys are no properties. */
const toMap = (value: Record<string, unknown>): Map<string, unknown> => new Map(Object.entries(value))

/** Returns an object that hides its type as a Map, and other values unchanged. */
export const unhideType = (value: unknown): unknown => (hidesType(value) ? toMap(value) : value)

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
}

/** Evaluates a literal such as `{"a": 1}`. The library drops keys that are names of properties of objects. */
export function evaluateMap(evaluator: unknown, literal: unknown, context: unknown): unknown {
  const evaluate = (node: ASTNode) => (evaluator as Evaluator).run(node, context)
  const { args } = literal as { args: [key: ASTNode, value: ASTNode][] }
  const entries = args.map(([key, value]) => [evaluate(key), evaluate(value)])
  return unhideType(Object.fromEntries(entries))
}
