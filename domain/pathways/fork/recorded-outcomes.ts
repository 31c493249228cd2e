import { DEFAULT_PORT, TIMEOUT_PORT } from '../definition.ts'
import { computeCovers, findCoverChanges } from '../decisions/covers.ts'
import { getNode } from '../engine/node-keys.ts'
import type { TakenOutcome, TakeOver } from '../engine/next.ts'
import type { EngineState } from '../engine/state.ts'
import type { DecisionCovers } from '../../runs/nodes.ts'
import { throwIfInline } from '../../shared/fairness/work-limits.ts'
import type { Graph } from '../graph.ts'
import { isInside, listKeysAfter, listOwners } from './fork-point.ts'
import { COMPUTED, type ForkRequest, type RecordedNode } from './types.ts'

const ITERATING = new Set(['map', 'loop'])

/** Decides which recorded outcomes the fork reuses. */
export class RecordedOutcomes implements TakeOver {
  /** Keys of the reused outcomes. */
  readonly taken = new Set<string>()
  /** Completed nodes whose output was not stored. */
  readonly missing = new Set<string>()
  /** Nodes in which people must decide again, with the names of the covered values that differ. */
  readonly askedAgain = new Map<string, string[]>()
  private readonly recorded: Map<string, RecordedNode>
  private readonly order: Map<string, number>
  /** Keys of `map` and `loop` nodes with recordings inside. */
  private readonly owners: Set<string>
  /** Keys of nodes with a supplied output. */
  private readonly given: ReadonlySet<string>
  /** The fork point, the nodes in which people decide again, and the nodes after them. */
  private readonly held: Set<string>
  private readonly graph: Graph
  private readonly from: string | undefined

  constructor(graph: Graph, { from, nodes }: ForkRequest, givenKeys: Iterable<string>) {
    this.graph = graph
    this.from = from
    this.given = new Set(givenKeys)
    this.recorded = new Map(nodes.map(node => [node.key, node]))
    this.order = new Map(nodes.map(({ key }, i) => [key, i]))
    this.owners = new Set(nodes.flatMap(({ key }) => listOwners(key)))
    this.held = new Set(from === undefined ? [] : [from, ...listKeysAfter(graph, from)])
  }

  holds(key: string): boolean {
    if (this.held.has(key)) return true
    if (this.given.has(key)) return false
    const recorded = this.find(key)
    if (this.isComputed(key)) return recorded?.status === 'failed' && recorded.port === undefined && !this.hasInner(key)
    return this.toOutcome(recorded) === undefined
  }

  findOutcome(key: string, state: EngineState): TakenOutcome | 'held' | undefined {
    const { spent, limits } = this.graph.meter
    if (spent > limits.units) throwIfInline(limits)
    if (this.given.has(key)) {
      this.taken.add(key)
      return undefined
    }
    if (this.isComputed(key) && !this.isTakenWhole(key)) return undefined
    const outcome = this.toOutcome(this.find(key))
    if (outcome?.type === 'completed' && this.asksAgain(key, state, outcome.covers)) return 'held'
    if (outcome) this.taken.add(key)
    return outcome
  }

  /** Returns whether the values covered by the decision have changed. */
  private asksAgain(key: string, state: EngineState, covers: DecisionCovers | undefined): boolean {
    if (!getNode(this.graph, key).decides) return false
    const changes = findCoverChanges(covers, computeCovers(this.graph, state, key))
    if (changes.length === 0) return false
    this.askedAgain.set(key, changes)
    for (const heldKey of [key, ...listKeysAfter(this.graph, key)]) this.held.add(heldKey)
    return true
  }

  rank(key: string): number {
    if (this.isComputed(key) && !this.isTakenWhole(key)) return -1
    return this.order.get(key) ?? -1
  }

  isReplaced(key: string): boolean {
    return this.given.has(key)
  }

  /** Returns whether the node runs only after people have decided again. */
  isBehindAsked(key: string): boolean {
    return [...this.askedAgain.keys()].some(
      askedKey => askedKey === key || listKeysAfter(this.graph, askedKey).includes(key),
    )
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
    const { output, port = DEFAULT_PORT, labels, covers } = recorded
    return { type: 'completed', output, port, labels, covers }
  }

  private isComputed(key: string): boolean {
    return COMPUTED.has(getNode(this.graph, key).node.type)
  }

  /** Returns whether a fork changes nothing inside a `map` or `loop`. */
  private isTakenWhole(key: string): boolean {
    return ITERATING.has(getNode(this.graph, key).node.type) && !this.isOpened(key)
  }

  private hasInner(key: string): boolean {
    return this.owners.has(key)
  }

  /**
   * Returns whether the fork point or a replaced output is inside a `map` or `loop`, so that its iterations are
   * replayed one by one.
   */
  private isOpened(key: string): boolean {
    return [this.from ?? '', ...this.given].some(inner => isInside(inner, key))
  }
}
