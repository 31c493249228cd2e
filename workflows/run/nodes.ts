import type { NodeMilestone } from '../../domain/jobs.ts'

/** What a run's own summary remembers: of the latest nodes, where they stand. The full list is in Postgres. */
export class Nodes {
  private readonly most: number
  private readonly byKey: Map<string, NodeMilestone>

  constructor(most: number, carried: NodeMilestone[] = []) {
    this.most = most
    this.byKey = new Map(carried.map(node => [node.key, node]))
  }

  get(key: string): NodeMilestone | undefined {
    return this.byKey.get(key)
  }

  remember(milestone: NodeMilestone): void {
    this.byKey.delete(milestone.key)
    this.byKey.set(milestone.key, milestone)
    const [oldest] = this.byKey.keys()
    if (this.byKey.size > this.most && oldest !== undefined) this.byKey.delete(oldest)
  }

  /** The key of the node that began last and is not over. */
  latestOpen(): string | undefined {
    return this.all().findLast(({ status }) => status === 'running' || status === 'waiting')?.key
  }

  /** The one that changed last comes last. */
  all(): NodeMilestone[] {
    return [...this.byKey.values()]
  }
}
