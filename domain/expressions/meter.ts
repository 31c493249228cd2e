import type { ASTNode } from '@marcbachmann/cel-js'

/**
 * CEL always ends, but `a.map(x, a.map(y, …))` over long lists ends too late for a workflow task. This meter gives an
 * evaluation a budget of work units: each node of the tree costs one per visit, and operands of operators and calls
 * cost their size as well, so nothing linear in a list or a text is free.
 */
export class CostExceeded extends Error {
  constructor() {
    super('the expression does too much work on this data')
    this.name = 'CostExceeded'
  }
}

export class Meter {
  private left = 0
  private sizes = new WeakMap<object, number>()

  start(budget: number): void {
    this.left = budget
    this.sizes = new WeakMap()
  }

  spend(units: number): void {
    this.left -= units
    if (this.left < 0) throw new CostExceeded()
  }

  isOver(): boolean {
    return this.left < 0
  }

  /** Values inside a value, counting text by blocks of 32 characters; each object is measured once per evaluation. */
  weigh(value: unknown): number {
    if (typeof value === 'string') return 1 + (value.length >> 5)
    if (typeof value !== 'object' || value === null) return 1
    const known = this.sizes.get(value)
    if (known !== undefined) return known
    let size = 1
    for (const part of Array.isArray(value) ? value : Object.values(value)) size += this.weigh(part)
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
  const visit = (part: unknown, isOperand: boolean): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    if (Array.isArray(part)) {
      for (const entry of part) visit(entry, isOperand)
      return
    }
    if (!isNode(part)) return
    seen.add(part)
    visit(part.args, !FREE_OPERANDS.has(part.op))
    install(part, meter, isOperand)
  }
  visit(root, false)
}

function isNode(part: object): part is Metered {
  return 'op' in part && 'args' in part
}

/** The library replaces a node's `evaluate` at its first run, so the meter stands in front as an accessor. */
function install(node: Metered, meter: Meter, isOperand: boolean): void {
  let inner = node.evaluate
  const metered: Evaluate = (evaluator, ast, context) => {
    meter.spend(1)
    const value = inner.call(node, evaluator, ast, context)
    if (isOperand) meter.spend(meter.weigh(value))
    return value
  }
  Object.defineProperty(node, 'evaluate', { get: () => metered, set: (next: Evaluate) => void (inner = next) })
}
