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

/** Values by the names that an expression may use: `input`, `nodes`, `run`, and in bodies also `item` and others. */
export type Scope = Record<string, unknown>

/** A compiled expression, which all share who use the source with the same names. */
export interface Program extends Reads {
  source: string
  /** CEL type of the result; `dyn` if it is not known before a run. */
  type: string
  /** Throws ExpressionError. The caller has started the meter. */
  evaluate: (scope: Scope, meter: Meter) => JsonValue
  /** Whether an evaluation has begun and not ended: it was interrupted, and what it leaves behind is unknown. */
  isEntered: () => boolean
}

const MAX_SOURCE = 4_000
const MAX_MESSAGE = 300
/** A tree takes some hundred bytes for each character of its source. */
const MAX_CACHED_CHARS = 200_000
const programs = new LRUCache<string, Program>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: ({ source }) => source.length + 1,
})

/**
 * Returns the program of a source with these names, compiled or known. Throws ExpressionError.
 * @param input the name whose fields are the `inputs` of the program
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

/** Has nothing to spend. */
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

/** Returns a message about a function that is called but not defined. */
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

/** Returns the first line of a message. The library quotes values in it, which may be long. */
const firstLine = (error: unknown): string => {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
  return message.split('\n', 1)[0] ?? 'unknown'
}

/** The library limits brackets only. A chain of operators is a deep tree too, and its evaluation needs stack. */
const MAX_TREE_DEPTH = 500
/** 60 literals inside each other have a type of 800 characters. */
const MAX_TYPE_NAME = 2_000

type Check = (this: ASTNode, checker: unknown, ast: unknown, context: unknown) => { name: string }
/** Every node of the tree has a method `check`, which the types of the library omit. */
type CheckedNode = ASTNode & { check: Check }

/** Limits a tree that is not checked yet: its depth at once, its types when they are checked. Throws. */
function limitTree(root: ASTNode): void {
  visitNodes(root, (node, { depth }) => {
    if (depth > MAX_TREE_DEPTH) throw new Error(`must have at most ${MAX_TREE_DEPTH} operators in a row`)
    limitType(node as CheckedNode)
  })
}

/** A map whose keys and values are maps doubles the name of its type: 30 of them would have one of gigabytes. */
function limitType(node: CheckedNode): void {
  const { check } = node
  node.check = (checker, ast, context) => {
    const type = check.call(node, checker, ast, context)
    if (type.name.length > MAX_TYPE_NAME) throw new Error('lists and maps are nested too deeply')
    return type
  }
}
