import type { ASTNode } from '@marcbachmann/cel-js'

/**
 * An evaluation exceeds its budget of work units: nested macros over long lists take too long for a workflow task. Each
 * visit of a node costs one unit, operands of operators and calls also cost their size, and slow operations cost more.
 */
export class CostExceeded extends Error {
  constructor() {
    super('the expression is too expensive on this data')
    this.name = 'CostExceeded'
  }
}

/** Work units of all expressions of one value: about 250 ms at most. */
const BUDGET = 2_000_000
/** Cost of a node that fails: `all()` and `exists()` continue after the error of an element. */
const FAILURE = 60
/** Cost of a conversion to a named time zone. */
const TIME_ZONE = 400

export class Meter {
  /** Units spent by all evaluations since the meter was created. */
  spent = 0
  /** Units left of the budget; 0 until `start` is called. */
  private left = 0
  private sizes = new WeakMap<object, number>()
  /** Shared error, since it may be thrown once for each element of a list. */
  private exceeded: CostExceeded | undefined

  /** Begins an evaluation of one expression, or of all expressions of one value. */
  start(): void {
    this.left = BUDGET
    this.sizes = new WeakMap()
  }

  /** Throws CostExceeded. */
  spend(units: number): void {
    this.left -= units
    this.spent += units
    if (this.left < 0) throw (this.exceeded ??= new CostExceeded())
  }

  /** Adds work that is not part of an expression and not subject to the budget. */
  note(units: number): void {
    this.spent += units
  }

  isOver(): boolean {
    return this.left < 0
  }

  /** Returns the number of values in a value, text in blocks of 32 characters. Each object is measured once. */
  measure(value: unknown): number {
    if (typeof value === 'string') return 1 + (value.length >> 5)
    if (typeof value !== 'object' || value === null) return 1
    if (ArrayBuffer.isView(value)) return 1 + (value.byteLength >> 5)
    const known = this.sizes.get(value)
    if (known !== undefined) return known
    let size = 1
    for (const part of Array.isArray(value) ? value : Object.values(value)) size += this.measure(part)
    this.sizes.set(value, size)
    return size
  }
}

type Evaluate = (this: ASTNode, evaluator: unknown, ast: unknown, context: unknown) => unknown
/** Every node of the tree has a method `evaluate`, which the types of the library omit. */
type Metered = ASTNode & { evaluate: Evaluate }

const FREE_OPERANDS = new Set(['value', 'id', '.', '.?', '[]', '[?]', '?:', '&&', '||'])

/** Installs the meter on every node of a checked tree. */
export function meterTree(root: ASTNode, meter: Meter): void {
  const visited = new Set<unknown>()
  const traverse = (part: unknown, isOperand: boolean): void => {
    if (typeof part !== 'object' || part === null || visited.has(part)) return
    if (Array.isArray(part)) {
      for (const entry of part) traverse(entry, isOperand)
      return
    }
    if (!isNode(part)) return
    visited.add(part)
    traverse(part.args, !FREE_OPERANDS.has(part.op))
    install(part, meter, isOperand)
  }
  traverse(root, false)
}

function isNode(part: object): part is Metered {
  return 'op' in part && 'args' in part
}

/** Returns the cost of one visit. Functions with a time zone, such as `at.getHours("Europe/Berlin")`, cost more. */
function getCost(node: ASTNode): number {
  const isZoned = node.op === 'rcall' && node.args[0].startsWith('get') && node.args[2].length === 1
  return isZoned ? TIME_ZONE : 1
}

/**
 * Installs the meter as an accessor, because the library replaces `evaluate` in its first call and calls the
 * replacement. The second call is free, so that the same work always costs the same.
 */
function install(node: Metered, meter: Meter, isOperand: boolean): void {
  const cost = getCost(node)
  let inner = node.evaluate
  let isReplaced = false
  const metered: Evaluate = (evaluator, ast, context) => {
    if (isReplaced) {
      isReplaced = false
      return inner.call(node, evaluator, ast, context)
    }
    meter.spend(cost)
    try {
      const value = inner.call(node, evaluator, ast, context)
      if (isOperand) meter.spend(meter.measure(value))
      return value
    } catch (error) {
      meter.spend(FAILURE)
      throw error
    }
  }
  const replace = (next: Evaluate): void => {
    inner = next
    isReplaced = true
  }
  Object.defineProperty(node, 'evaluate', { get: () => metered, set: replace })
}
