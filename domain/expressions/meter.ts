import type { ASTNode } from '@marcbachmann/cel-js'

/**
 * CEL always ends, but `a.map(x, a.map(y, …))` over long lists ends too late for a workflow task. This meter gives an
 * evaluation a budget of work units: each node of the tree costs one per visit, operands of operators and calls cost
 * their size as well, so nothing linear in a list or a text is free, and what is slow by itself costs more.
 */
export class CostExceeded extends Error {
  constructor() {
    super('the expression is too expensive on this data')
    this.name = 'CostExceeded'
  }
}

/** Work units of all expressions of one value; about a quarter of a second at worst. */
const BUDGET = 2_000_000
/** An element that fails inside `all()` or `exists()` is passed over, and its error was not cheap to make. */
const FAILURE = 60
/** Converting a time to a named time zone. */
const TIME_ZONE = 400

export class Meter {
  /** Units spent since the meter was made, by all evaluations. */
  spent = 0
  /** Nothing can be evaluated before `start`. */
  private left = 0
  private sizes = new WeakMap<object, number>()
  /** One for all: it may be thrown once for each element of a list. */
  private exceeded: CostExceeded | undefined

  /** Begins an evaluation, of one expression or of all that belong to one value. */
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

  /** Adds work that is no part of an expression and has no budget of its own. */
  note(units: number): void {
    this.spent += units
  }

  isOver(): boolean {
    return this.left < 0
  }

  /** Values inside a value, counting text by blocks of 32 characters; each object is measured once per evaluation. */
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
/** `evaluate` is a plain method of every node of the tree; the library's types leave it out. */
type Metered = ASTNode & { evaluate: Evaluate }

const FREE_OPERANDS = new Set(['value', 'id', '.', '.?', '[]', '[?]', '?:', '&&', '||'])

/** Installs the meter on every node of a checked tree. */
export function meterTree(root: ASTNode, meter: Meter): void {
  const seen = new Set<unknown>()
  const traverse = (part: unknown, isOperand: boolean): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    if (Array.isArray(part)) {
      for (const entry of part) traverse(entry, isOperand)
      return
    }
    if (!isNode(part)) return
    seen.add(part)
    traverse(part.args, !FREE_OPERANDS.has(part.op))
    install(part, meter, isOperand)
  }
  traverse(root, false)
}

function isNode(part: object): part is Metered {
  return 'op' in part && 'args' in part
}

/** `at.getHours("Europe/Berlin")` and its like. */
function getCost(node: ASTNode): number {
  const isZoned = node.op === 'rcall' && node.args[0].startsWith('get') && node.args[2].length === 1
  return isZoned ? TIME_ZONE : 1
}

/**
 * The library replaces a node's `evaluate` at its first run and calls it anew, so the meter stands in front as an
 * accessor, and that second call is free: the same work costs the same each time.
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
