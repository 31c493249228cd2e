import type { JsonValue } from '../../json.ts'
import { DEFAULT_PORT, TIMEOUT_PORT } from '../definition.ts'
import { getNode } from '../engine/node-keys.ts'
import type { TakenOutcome, TakeOver } from '../engine/next.ts'
import { throwIfInline } from '../../work-limits.ts'
import type { Graph } from '../graph.ts'
import { isInside, listKeysAfter, listOwners } from './fork-point.ts'
import { COMPUTED, type ForkRequest, type RecordedNode } from './types.ts'

const ITERATING = new Set(['map', 'loop'])

/** Decides what of the recorded outcomes the fork takes over. */
export class RecordedOutcomes implements TakeOver {
  /** Keys whose recorded outcome was taken. */
  readonly taken = new Set<string>()
  /** Completed nodes whose output was not kept. */
  readonly missing = new Set<string>()
  private readonly recorded: Map<string, RecordedNode>
  private readonly order: Map<string, number>
  /** Keys of `map` and `loop` nodes inside which something was recorded. */
  private readonly owners: Set<string>
  private readonly outputs: Record<string, JsonValue>
  /** The fork point and the nodes after it. */
  private readonly held: ReadonlySet<string>
  private readonly graph: Graph
  private readonly from: string | undefined

  constructor(graph: Graph, { from, nodes, outputs = {} }: ForkRequest) {
    this.graph = graph
    this.from = from
    this.outputs = outputs
    this.recorded = new Map(nodes.map(node => [node.key, node]))
    this.order = new Map(nodes.map(({ key }, i) => [key, i]))
    this.owners = new Set(nodes.flatMap(({ key }) => listOwners(key)))
    this.held = new Set(from === undefined ? [] : [from, ...listKeysAfter(graph, from)])
  }

  holds(key: string): boolean {
    if (this.held.has(key)) return true
    if (Object.hasOwn(this.outputs, key)) return false
    const recorded = this.find(key)
    if (this.isComputed(key)) return recorded?.status === 'failed' && recorded.port === undefined && !this.hasInner(key)
    return this.toOutcome(recorded) === undefined
  }

  findOutcome(key: string): TakenOutcome | undefined {
    const { spent, limits } = this.graph.meter
    if (spent > limits.units) throwIfInline(limits)
    if (Object.hasOwn(this.outputs, key)) {
      this.taken.add(key)
      return { type: 'completed', output: this.outputs[key] ?? null }
    }
    if (this.isComputed(key) && !this.isTakenWhole(key)) return undefined
    const outcome = this.toOutcome(this.find(key))
    if (outcome) this.taken.add(key)
    return outcome
  }

  rank(key: string): number {
    if (this.isComputed(key) && !this.isTakenWhole(key)) return -1
    return this.order.get(key) ?? -1
  }

  isReplaced(key: string): boolean {
    return Object.hasOwn(this.outputs, key)
  }

  find(key: string): RecordedNode | undefined {
    const recorded = this.recorded.get(key)
    return recorded?.node_type === getNode(this.graph, key).node.type ? recorded : undefined
  }

  private toOutcome(recorded: RecordedNode | undefined): TakenOutcome | undefined {
    if (recorded?.status === 'failed' && recorded.port !== undefined) {
      const { error = { code: 'FAILED', message: 'failed' }, port } = recorded
      return { type: 'failed', error, timeout: port === TIMEOUT_PORT }
    }
    if (recorded?.status !== 'completed') return undefined
    if (recorded.output === undefined) {
      if (!COMPUTED.has(recorded.node_type)) this.missing.add(recorded.key)
      return undefined
    }
    return { type: 'completed', output: recorded.output, port: recorded.port ?? DEFAULT_PORT }
  }

  private isComputed(key: string): boolean {
    return COMPUTED.has(getNode(this.graph, key).node.type)
  }

  /** A `map` or `loop` with nothing inside that the fork changes. */
  private isTakenWhole(key: string): boolean {
    return ITERATING.has(getNode(this.graph, key).node.type) && !this.isOpened(key)
  }

  private hasInner(key: string): boolean {
    return this.owners.has(key)
  }

  /** Whether the fork point or a replaced output is inside a `map` or `loop`: its iterations are driven one by one. */
  private isOpened(key: string): boolean {
    return [this.from ?? '', ...Object.keys(this.outputs)].some(inner => isInside(inner, key))
  }
}
