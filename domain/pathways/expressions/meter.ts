import type { ASTNode } from '@marcbachmann/cel-js'
import { FULL_LIMITS, type WorkLimits } from '../../shared/fairness/work-limits.ts'
import { limitCall } from './call-limits.ts'
import { evaluateMap, hidesType, unhideType } from './maps.ts'
import { type Place, visitNodes } from './tree.ts'

/**
 * An evaluation exceeds its budget of work units: nested macros over long lists would take too long for a workflow
 * task. Each node visit costs one unit. Operands of operators and calls also cost their size, and slow operations
 * cost more.
 */
export class CostExceeded extends Error {
  constructor() {
    super('the expression is too expensive on this data')
    this.name = 'CostExceeded'
  }
}

/** Maximum number of text characters in one value. A template may contain the same long text many times. */
const MAX_TEXT_CHARS = 2_000_000
/**
 * Cost of a failing node: `all()` and `exists()` continue after an element's error, and each error message is located
 * in the source.
 */
const FAILURE = 60
const SOURCE_CHARS_PER_UNIT = 32
/** Units per member of an object with many members: it is a hash table, which is slow to enumerate. */
const MANY_MEMBERS = 1_000
const TABLE_MEMBER = 4
/** Values up to this size are measured each time, because caching would take longer. */
const SMALL = 16

export class Meter {
  /** Units spent by all evaluations since the meter was created. */
  spent = 0
  readonly limits: WorkLimits
  /** Units left in the budget. 0 until `start` is called. */
  private left = 0
  private textLeft = 0
  private sizes = new WeakMap<object, number>()
  /** Shared, because it may be thrown once per list element. */
  private exceeded: CostExceeded | undefined

  constructor(limits: WorkLimits = FULL_LIMITS) {
    this.limits = limits
  }

  /** Starts an evaluation of one expression, or of all expressions in one value. */
  start(): void {
    this.left = this.limits.units
    this.textLeft = MAX_TEXT_CHARS
    this.sizes = new WeakMap()
  }

  /** Throws CostExceeded. */
  spend(units: number): void {
    this.left -= units
    this.spent += units
    if (this.left < 0) throw (this.exceeded ??= new CostExceeded())
  }

  /** Records work outside expressions. This work doesn't count toward the budget. */
  note(units: number): void {
    this.spent += units
  }

  /** Adds text characters to the value's total. Returns false if the total exceeds the limit. */
  takeText(chars: number): boolean {
    this.textLeft -= chars
    return this.textLeft >= 0
  }

  isOver(): boolean {
    return this.left < 0
  }

  /**
   * Returns the number of values in a value. Text counts in blocks of 32 characters. Each large object is measured
   * once.
   */
  measure(value: unknown): number {
    if (typeof value === 'string') return 1 + (value.length >> 5)
    if (typeof value !== 'object' || value === null) return 1
    if (ArrayBuffer.isView(value)) return 1 + (value.byteLength >> 5)
    const cachedSize = this.sizes.get(value)
    if (cachedSize !== undefined) return cachedSize
    const parts: unknown[] = Array.isArray(value)
      ? value
      : value instanceof Map
        ? [...value.values()]
        : Object.values(value)
    const isTable = parts !== value && parts.length > MANY_MEMBERS
    let size = isTable ? 1 + parts.length * (TABLE_MEMBER - 1) : 1
    for (const part of parts) size += this.measure(part)
    if (size > SMALL) this.sizes.set(value, size)
    return size
  }
}

/** Returns a value in a form that the library can read. A Map is created on each read. */
function readResult(value: unknown, meter: Meter): unknown {
  if (!hidesType(value)) return value
  meter.spend(meter.measure(value))
  return unhideType(value)
}

type Evaluate = (this: ASTNode, evaluator: unknown, ast: unknown, context: unknown) => unknown
/** Every tree node has an `evaluate` method, which the library's types omit. */
type MeteredNode = ASTNode & { evaluate: Evaluate; input: string }

const FREE_OPERANDS = new Set(['value', 'id', '.', '.?', '?:', '&&', '||'])
const INDEXES = new Set(['[]', '[?]'])

/** Holds the meter of the current evaluation. */
export interface MeterSlot {
  meter: Meter
}

/** Makes every node of a checked tree charge the meter in the slot. */
export function meterTree(root: ASTNode, slot: MeterSlot): void {
  visitNodes(root, (node, place) => {
    limitCall(node, slot)
    install(node as MeteredNode, slot, findCharge(place, slot))
  })
}

type Charge = (value: unknown) => void

/** Returns the charge of a value as an operand of its parent, if any. An index is converted to text. */
function findCharge({ parent, position }: Place, slot: MeterSlot): Charge | undefined {
  if (!parent || FREE_OPERANDS.has(parent.op) || (INDEXES.has(parent.op) && position === 0)) return undefined
  if (parent.op === 'in' && position === 1) {
    return value => slot.meter.spend(Array.isArray(value) ? slot.meter.measure(value) : 1)
  }
  return value => slot.meter.spend(slot.meter.measure(value))
}

/**
 * Installs the meter as an accessor, because the library replaces `evaluate` in its first call and calls the
 * replacement. The second call is free, so that the same work always costs the same.
 */
function install(node: MeteredNode, slot: MeterSlot, charge: Charge | undefined): void {
  const failure = FAILURE + Math.floor(node.input.length / SOURCE_CHARS_PER_UNIT)
  let inner: Evaluate = node.op === 'map' && node.args.length > 0 ? evaluateMap : node.evaluate
  let isReplaced = false
  const metered: Evaluate = (evaluator, ast, context) => {
    if (isReplaced) {
      isReplaced = false
      return inner.call(node, evaluator, ast, context)
    }
    slot.meter.spend(1)
    try {
      const value = readResult(inner.call(node, evaluator, ast, context), slot.meter)
      charge?.(value)
      return value
    } catch (error) {
      slot.meter.spend(failure)
      throw error
    }
  }
  const replace = (next: Evaluate): void => {
    inner = next
    isReplaced = true
  }
  Object.defineProperty(node, 'evaluate', { get: () => metered, set: replace })
}
