import type { ASTNode } from '@marcbachmann/cel-js'

/**
 * Returns whether data has a `constructor` key. The library reads the type of an object from its `constructor`, which
 * is then a data value.
 */
export const hidesType = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor')

/** Converts data to a Map, which the library also accepts. The keys of a Map are not object properties. */
const toMap = (value: Record<string, unknown>): Map<string, unknown> => new Map(Object.entries(value))

/** Converts an object that hides its type to a Map. Returns other values unchanged. */
export const unhideType = (value: unknown): unknown => (hidesType(value) ? toMap(value) : value)

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
}

/** Evaluates a literal such as `{"a": 1}`. The library drops keys that are also names of object properties. */
export function evaluateMap(evaluator: unknown, literal: unknown, context: unknown): unknown {
  const evaluate = (node: ASTNode) => (evaluator as Evaluator).run(node, context)
  const { args } = literal as { args: [key: ASTNode, value: ASTNode][] }
  const entries = args.map(([key, value]) => [evaluate(key), evaluate(value)])
  return unhideType(Object.fromEntries(entries))
}
