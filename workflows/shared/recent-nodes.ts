import type { NodeMilestone } from '../../domain/jobs.ts'

/** Keeps the last milestone of the most recent nodes. Postgres has the full list. */
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
    const [oldest] = this.byKey.keys()
    if (this.byKey.size > this.max && oldest !== undefined) this.byKey.delete(oldest)
  }

  /** Returns the key of the open node that changed last. */
  latestOpen(): string | undefined {
    return this.all().findLast(({ status }) => status === 'running' || status === 'waiting')?.key
  }

  /** Returns the milestones in order of their last change. */
  all(): NodeMilestone[] {
    return [...this.byKey.values()]
  }
}
