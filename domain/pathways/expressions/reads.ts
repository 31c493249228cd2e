import type { ASTNode } from '@marcbachmann/cel-js'
import { invalidExpressionError, shorten } from './expression-error.ts'

/** The values that an expression reads. */
export interface Reads {
  /** Ids of the nodes read (`nodes.<id>` or `nodes["<id>"]`). */
  nodes: string[]
  /** Paths of the input fields read, excluding fields inside `has()`. */
  inputs: string[][]
  /** Paths of the input fields inside `has()`. */
  guards: string[][]
  /** All input paths read, including inside `has()`. An empty path means the whole input. */
  inputReads: string[][]
  /** Paths of all values read, starting with the variable name. Reads inside `has()` are excluded. */
  paths: string[][]
}

/** `-9223372036854775808` is the negation of this number. */
const MAX_INTEGER = 2n ** 63n

/**
 * Returns the values that a tree reads. Throws ExpressionError for `matches`, which backtracks, and for integers
 * beyond 64 bits.
 * @param input the name of the input variable
 */
export function findReads(tree: ASTNode, input: string): Reads {
  const walk: Walk = { input, nodes: new Set(), inputs: [], guards: [], paths: [], isShadowed: false, readsAll: false }
  collectReads(tree, walk)
  const { nodes, inputs, guards, paths, isShadowed, readsAll } = walk
  const inputReads = isShadowed || readsAll ? [[]] : [...inputs, ...guards]
  return { nodes: [...nodes], inputs: isShadowed ? [] : inputs, guards, inputReads, paths }
}

/** State of a walk over a tree. */
interface Walk {
  /** Name of the input variable. */
  input: string
  nodes: Set<string>
  inputs: string[][]
  guards: string[][]
  paths: string[][]
  /**
   * Whether a macro declares a variable with the same name as the input, so that the name may refer to another value.
   */
  isShadowed: boolean
  /** Whether the expression reads the input in any way other than by field name. */
  readsAll: boolean
}

function collectReads(part: unknown, walk: Walk): void {
  if (Array.isArray(part)) {
    for (const entry of part) collectReads(entry, walk)
    return
  }
  if (typeof part !== 'object' || part === null || !('op' in part)) return
  const node = part as ASTNode
  if ((node.op === 'rcall' || node.op === 'call') && node.args[0] === 'matches') {
    throw invalidExpressionError('matches() is not available: use contains, startsWith, endsWith or split')
  }
  if (node.op === 'value' && typeof node.args === 'bigint' && node.args > MAX_INTEGER) {
    throw invalidExpressionError(`an integer must have at most 64 bits: ${shorten(String(node.args))}`)
  }
  const [root, ...path] = resolvePath(node) ?? []
  const [id] = path
  if (root !== undefined) walk.paths.push([root, ...path])
  if (root === 'nodes' && id !== undefined) return void walk.nodes.add(id)
  if (root === 'nodes') throw invalidExpressionError('nodes must be read by id: nodes.<id>')
  if (root === walk.input && id !== undefined) return void walk.inputs.push(path)
  if (root === walk.input) walk.readsAll = true
  if (node.op === 'rcall' && node.args[2][0]?.op === 'id' && node.args[2][0].args === walk.input) walk.isShadowed = true
  if (node.op === 'call' && node.args[0] === 'has') {
    const inside = { ...walk, inputs: walk.guards, paths: [] }
    collectReads(node.args[1], inside)
    walk.readsAll ||= inside.readsAll
    walk.isShadowed ||= inside.isShadowed
    return
  }
  collectReads(node.args, walk)
}

/** Returns a variable and the field names after it, as in `input.a["b"]`. */
function resolvePath(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args]
  if (node.op !== '.' && node.op !== '[]') return undefined
  const [from, key] = node.args
  const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined
  const before = typeof name === 'string' ? resolvePath(from) : undefined
  return before && [...before, name as string]
}
