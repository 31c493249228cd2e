import type { ASTNode } from '@marcbachmann/cel-js'
import { invalidExpressionError, shorten } from './expression-error.ts'

/** What an expression reads. */
export interface Reads {
  /** Ids of the nodes that it reads (`nodes.<id>` or `nodes["<id>"]`). */
  nodes: string[]
  /** Paths of the fields of the input that it reads. Fields inside `has()` are left out. */
  inputs: string[][]
  /** Paths of the fields of the input inside `has()`. */
  guards: string[][]
  /** All paths of the input that it reads, also inside `has()`. An empty path stands for the whole input. */
  inputReads: string[][]
  /** Paths of all values that it reads, with the name of the variable. Reads inside `has()` are left out. */
  paths: string[][]
}

/** `-9223372036854775808` is the negation of this number. */
const MAX_INTEGER = 2n ** 63n

/**
 * Returns what a tree reads. Throws ExpressionError on `matches`, which backtracks, and on integers of any size.
 * @param input the name of the input
 */
export function findReads(tree: ASTNode, input: string): Reads {
  const walk: Walk = { input, nodes: new Set(), inputs: [], guards: [], paths: [], isShadowed: false, readsAll: false }
  collectReads(tree, walk)
  const { nodes, inputs, guards, paths, isShadowed, readsAll } = walk
  const inputReads = isShadowed || readsAll ? [[]] : [...inputs, ...guards]
  return { nodes: [...nodes], inputs: isShadowed ? [] : inputs, guards, inputReads, paths }
}

/** What a tree reads, while it is walked. */
interface Walk {
  /** The name of the input. */
  input: string
  nodes: Set<string>
  inputs: string[][]
  guards: string[][]
  paths: string[][]
  /** Whether a macro declares a variable with the name of the input, so that the name may stand for another value. */
  isShadowed: boolean
  /** Whether the input is read other than by the names of its fields. */
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

/** Returns a variable and the names of the fields that follow it, as in `input.a["b"]`. */
function resolvePath(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args]
  if (node.op !== '.' && node.op !== '[]') return undefined
  const [from, key] = node.args
  const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined
  const before = typeof name === 'string' ? resolvePath(from) : undefined
  return before && [...before, name as string]
}
