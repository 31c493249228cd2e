import type { ASTNode, Environment, TypeCheckResult } from '@marcbachmann/cel-js'
import type { JsonValue } from '../json.ts'
import { throwIfInline } from '../work-limits.ts'
import { createEnvironment } from './environment.ts'
import { CostExceeded, type Meter, meterTree } from './meter.ts'
import { limitTree } from './tree-limits.ts'
import { toJson, ValueError } from './values.ts'

/** An expression cannot be compiled when it is saved, or cannot be evaluated in a run. */
export class ExpressionError extends Error {
  readonly code: 'EXPRESSION_INVALID' | 'EXPRESSION_FAILED' | 'EXPRESSION_TOO_COSTLY'
  constructor(code: ExpressionError['code'], message: string) {
    super(message)
    this.name = 'ExpressionError'
    this.code = code
  }
}

/** Values by the names that an expression may use: `input`, `nodes`, `run`, and in bodies also `item` and others. */
export type Scope = Record<string, unknown>

export interface Expression {
  source: string
  /** CEL type of the result; `dyn` if it is not known before a run. */
  type: string
  /** Ids of the nodes that it reads (`nodes.<id>` or `nodes["<id>"]`). */
  nodes: string[]
  /** Paths of the fields of the input that it reads. Fields inside `has()` are left out. */
  inputs: string[][]
  /** Paths of the fields of the input inside `has()`. */
  guards: string[][]
  /** Throws ExpressionError. */
  evaluate(scope: Scope): JsonValue
}

export const ROOT_NAMES = ['input', 'nodes', 'run'] as const
const MAX_SOURCE = 4_000
const MAX_MESSAGE = 300
/** `-9223372036854775808` is the negation of this number. */
const MAX_INTEGER = 2n ** 63n

/**
 * Returns a compiler for one set of names, which caches its results by source. Its expressions share one meter, which
 * the caller must start before an evaluation.
 * @param input the name whose fields are the `inputs` of its expressions
 */
export function createCompiler(
  names: readonly string[],
  meter: Meter,
  input = 'input',
): (source: string) => Expression {
  const env = createEnvironment(names)
  const known = new Map<string, Expression>()
  return source => {
    const found = known.get(source)
    if (found) return found
    const compiled = compile(env, source, meter, input)
    known.set(source, compiled)
    return compiled
  }
}

function compile(env: Environment, source: string, meter: Meter, input: string): Expression {
  if (source.length > MAX_SOURCE) throw invalid(`an expression must have at most ${MAX_SOURCE} characters`)
  const program = parse(env, source)
  const checked = program.check()
  if (!checked.valid) throw invalid(findUnknownFunction(env, checked.error) ?? firstLine(checked.error))
  const reads: Reads = { input, nodes: new Set(), inputs: [], guards: [], isShadowed: false }
  collectReads(program.ast, reads)
  meterTree(program.ast, meter)
  return {
    source,
    type: checked.type ?? 'dyn',
    nodes: [...reads.nodes],
    inputs: reads.isShadowed ? [] : reads.inputs,
    guards: reads.guards,
    evaluate: scope => run(program, meter, source, scope),
  }
}

/** Returns a message about a function that is called but not defined. */
function findUnknownFunction(env: Environment, error: TypeCheckResult['error']): string | undefined {
  const called = error?.node
  if (called?.op !== 'call' && called?.op !== 'rcall') return undefined
  const [name] = called.args as [string]
  const isKnown = env.getDefinitions().functions.some(known => known.name === name)
  return isKnown ? undefined : `there is no function "${name}"`
}

type Program = ReturnType<Environment['parse']>

function parse(env: Environment, source: string): Program {
  try {
    const program = env.parse(source)
    limitTree(program.ast)
    return program
  } catch (error) {
    throw invalid(firstLine(error))
  }
}

function run(program: Program, meter: Meter, source: string, scope: Scope): JsonValue {
  try {
    const result = program(scope)
    // all() and exists() ignore errors of single elements, CostExceeded included.
    if (meter.isOver()) throw new CostExceeded()
    return toJson(result, meter)
  } catch (error) {
    const about = `${shorten(source)}: `
    if (error instanceof CostExceeded) {
      throwIfInline(meter.limits)
      throw new ExpressionError('EXPRESSION_TOO_COSTLY', about + error.message)
    }
    if (error instanceof ValueError) throw new ExpressionError('EXPRESSION_FAILED', about + error.message)
    throw new ExpressionError('EXPRESSION_FAILED', about + firstLine(error))
  }
}

interface Reads {
  /** The name of the input. */
  input: string
  nodes: Set<string>
  inputs: string[][]
  guards: string[][]
  /** Whether a macro declares a variable with the name of the input, so that the name may stand for another value. */
  isShadowed: boolean
}

/** Collects the nodes and input fields that are read. Refuses `matches`, which backtracks, and integers of any size. */
function collectReads(part: unknown, reads: Reads): void {
  if (Array.isArray(part)) {
    for (const entry of part) collectReads(entry, reads)
    return
  }
  if (typeof part !== 'object' || part === null || !('op' in part)) return
  const node = part as ASTNode
  if ((node.op === 'rcall' || node.op === 'call') && node.args[0] === 'matches') {
    throw invalid('matches() is not available: use contains, startsWith, endsWith or split')
  }
  if (node.op === 'value' && typeof node.args === 'bigint' && node.args > MAX_INTEGER) {
    throw invalid(`an integer must have at most 64 bits: ${shorten(String(node.args))}`)
  }
  const [root, ...path] = resolvePath(node) ?? []
  const [id] = path
  if (root === 'nodes' && id !== undefined) return void reads.nodes.add(id)
  if (root === 'nodes') throw invalid('nodes must be read by id: nodes.<id>')
  if (root === reads.input && id !== undefined) return void reads.inputs.push(path)
  if (node.op === 'rcall' && node.args[2][0]?.op === 'id' && node.args[2][0].args === reads.input)
    reads.isShadowed = true
  if (node.op === 'call' && node.args[0] === 'has')
    return collectReads(node.args[1], { ...reads, inputs: reads.guards })
  collectReads(node.args, reads)
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

const invalid = (message: string): ExpressionError => new ExpressionError('EXPRESSION_INVALID', message)
/** Returns an expression for messages, with at most 80 characters. */
export const shorten = (source: string): string => (source.length > 80 ? `${source.slice(0, 77)}...` : source)
/** Returns the first line of a message. The library quotes values in it, which may be long. */
const firstLine = (error: unknown): string => {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
  return message.split('\n', 1)[0] ?? 'unknown'
}
