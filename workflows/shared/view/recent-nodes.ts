import type { NodeMilestone } from '../../../domain/runs/nodes.ts'

/**
 * Keeps the last milestone of the most recent nodes. Completed and skipped nodes are dropped first. Postgres has the
 * full list.
 */
export class RecentNodes {
  private readonly max: number
  private readonly byKey: Map<string, NodeMilestone>

  constructor(max: number, nodes: NodeMilestone[] = []) {
    this.max = max
    this.byKey = new Map(nodes.map(node => [node.key, node]))
  }

  get(key: string): NodeMilestone | undefined {
    return this.byKey.get(key)
  }

  add(milestone: NodeMilestone): void {
    this.byKey.delete(milestone.key)
    this.byKey.set(milestone.key, milestone)
    if (this.byKey.size > this.max) this.dropOne()
  }

  remove(isRemoved: (key: string) => boolean): void {
    for (const key of [...this.byKey.keys()].filter(isRemoved)) this.byKey.delete(key)
  }

  private dropOne(): void {
    const nodes = this.byKey.values()
    const dropped = nodes.find(({ status }) => status === 'completed' || status === 'skipped') ?? this.all()[0]
    if (dropped) this.byKey.delete(dropped.key)
  }

  /** Returns the key of the most recently changed open node. */
  latestOpen(): string | undefined {
    return this.all().findLast(({ status }) => status === 'running' || status === 'waiting')?.key
  }

  /** Returns the milestones, sorted by their last change. */
  all(): NodeMilestone[] {
    return [...this.byKey.values()]
  }
}
