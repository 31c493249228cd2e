import { Unavailable } from '../../domain/errors.ts'

interface Settings {
  /** Tasks at a time, of different workspaces. */
  concurrency: number
  /** Tasks of one workspace that wait. */
  maxWaiting: number
}

/** Runs tasks in turns: one task of each workspace at a time, however many one of them has. */
export class FairQueue {
  private readonly settings: Settings
  /** Starts of waiting tasks by workspace, the one whose turn is next first. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private readonly running = new Set<string>()

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Throws Unavailable when too many tasks of the workspace wait, and what the task throws. */
  async run<T>(workspaceId: string, task: () => Promise<T>): Promise<T> {
    const own = this.waiting.get(workspaceId) ?? []
    if (own.length >= this.settings.maxWaiting) throw new Unavailable('The workspace has too many large evaluations')
    await new Promise<void>(resolve => {
      this.waiting.set(workspaceId, own.concat(resolve))
      this.startNext()
    })
    try {
      return await task()
    } finally {
      this.running.delete(workspaceId)
      this.startNext()
    }
  }

  private startNext(): void {
    if (this.running.size >= this.settings.concurrency) return
    const [workspaceId, [start, ...others] = []] = this.waiting.entries().find(([id]) => !this.running.has(id)) ?? []
    if (workspaceId === undefined || !start) return
    // A workspace with further tasks goes to the end.
    this.waiting.delete(workspaceId)
    if (others.length > 0) this.waiting.set(workspaceId, others)
    this.running.add(workspaceId)
    start()
  }
}
