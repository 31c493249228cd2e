import type { Environment, TypeCheckResult, ASTNode } from '@marcbachmann/cel-js'
import { LRUCache } from 'lru-cache'
import type { JsonValue } from '../../shared/json/json.ts'
import { throwIfInline } from '../../shared/fairness/work-limits.ts'
import { createEnvironment } from './environment.ts'
import { ExpressionError, invalidExpressionError, shorten } from './expression-error.ts'
import { CostExceeded, Meter, type MeterSlot, meterTree } from './meter.ts'
import { findReads, type Reads } from './reads.ts'
import { checkLiterals, toJson, ValueError } from './values.ts'
import { visitNodes } from './tree.ts'
import { cut } from '../../shared/text/shorten.ts'

/** Values by variable name: `input`, `nodes`, `run` and, inside bodies, variables such as `item`. */
export type Scope = Record<string, unknown>

/** A compiled expression, shared by all users of the same source and names. */
export interface Program extends Reads {
  source: string
  /** CEL type of the result. `dyn` if it is unknown before a run. */
  type: string
  /** Throws ExpressionError. The caller must have started the meter. */
  evaluate: (scope: Scope, meter: Meter) => JsonValue
  /**
   * Returns whether an evaluation was started but not finished. Such an evaluation was interrupted, so the program's
   * internal state is unknown.
   */
  isEntered: () => boolean
}

const MAX_SOURCE = 4_000
const MAX_MESSAGE = 300
/** A tree takes a few hundred bytes per source character. */
const MAX_CACHED_CHARS = 200_000
const programs = new LRUCache<string, Program>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: ({ source }) => source.length + 1,
})

/**
 * Returns the cached or newly compiled program for a source and these names. Throws ExpressionError.
 * @param input the variable whose fields are the `inputs` of the program
 */
export function getProgram(names: readonly string[], source: string, input: string): Program {
  if (source.length > MAX_SOURCE)
    throw invalidExpressionError(`an expression must have at most ${MAX_SOURCE} characters`)
  const key = [input, ...names, source].join('\0')
  const cachedProgram = programs.get(key)
  if (cachedProgram && !cachedProgram.isEntered()) return cachedProgram
  const program = compile(createEnvironment(names), source, input)
  programs.set(key, program)
  return program
}

/** A meter without a budget. */
const NO_METER = new Meter()

function compile(env: Environment, source: string, input: string): Program {
  const tree = parse(env, source)
  const checked = tree.check()
  if (!checked.valid) throw invalidExpressionError(findUnknownFunction(env, checked.error) ?? firstLine(checked.error))
  const reads = findReads(tree.ast, input)
  const slot: MeterSlot = { meter: NO_METER }
  meterTree(tree.ast, slot)
  return {
    source,
    type: checked.type ?? 'dyn',
    ...reads,
    isEntered: () => slot.meter !== NO_METER,
    evaluate(scope, meter) {
      slot.meter = meter
      try {
        return run(tree, meter, source, scope)
      } finally {
        slot.meter = NO_METER
      }
    },
  }
}

/** Returns a message if the error is a call to an undefined function. */
function findUnknownFunction(env: Environment, error: TypeCheckResult['error']): string | undefined {
  const errorNode = error?.node
  if (errorNode?.op !== 'call' && errorNode?.op !== 'rcall') return undefined
  const [name] = errorNode.args as [string]
  const isKnown = env.getDefinitions().functions.some(definition => definition.name === name)
  return isKnown ? undefined : `there is no function "${name}"`
}

type Tree = ReturnType<Environment['parse']>

function parse(env: Environment, source: string): Tree {
  try {
    const tree = env.parse(source)
    limitTree(tree.ast)
    checkLiterals(tree.ast)
    return tree
  } catch (error) {
    throw invalidExpressionError(firstLine(error))
  }
}

function run(tree: Tree, meter: Meter, source: string, scope: Scope): JsonValue {
  try {
    const result = tree(scope)
    // all() and exists() ignore errors of single elements, including CostExceeded.
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

/** Returns the first line of a message. The library quotes values in messages, and they may be long. */
const firstLine = (error: unknown): string => {
  const message = cut(error instanceof Error ? error.message : String(error), MAX_MESSAGE)
  return message.split('\n', 1)[0] ?? 'unknown'
}

/** The library limits only brackets. A chain of operators is also a deep tree, and evaluating it needs stack space. */
const MAX_TREE_DEPTH = 500
/** Maximum length of a type name. For comparison, 60 nested literals have a type name of 800 characters. */
const MAX_TYPE_NAME = 2_000

type Check = (this: ASTNode, checker: unknown, ast: unknown, context: unknown) => { name: string }
/** Every tree node has a `check` method, which the library's types omit. */
type CheckedNode = ASTNode & { check: Check }

/**
 * Checks the depth of an unchecked tree immediately, and its types when they are checked. Throws if a limit is
 * exceeded.
 */
function limitTree(root: ASTNode): void {
  visitNodes(root, (node, { depth }) => {
    if (depth > MAX_TREE_DEPTH) throw new Error(`must have at most ${MAX_TREE_DEPTH} operators in a row`)
    limitType(node as CheckedNode)
  })
}

/**
 * Limits the length of type names. Each level of maps with maps as both keys and values doubles the length: 30 levels
 * would take gigabytes.
 */
function limitType(node: CheckedNode): void {
  const { check } = node
  node.check = (checker, ast, context) => {
    const type = check.call(node, checker, ast, context)
    if (type.name.length > MAX_TYPE_NAME) throw new Error('lists and maps are nested too deeply')
    return type
  }
}
