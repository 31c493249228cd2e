import { workflowInfo } from '@temporalio/workflow'
import { perRun } from '../run/per-run.ts'
import { throwIfCancelled } from '../scopes.ts'

/** Maximum number of child runs that a run starts concurrently. */
const MAX_OF_ROOT = 8
/** The limit for a run that is itself a child, because a tree has many such runs. */
const MAX_OF_CHILD = 2

/**
 * Child run starts that Temporal has not confirmed. The server queues them ahead of starts from other workspaces, so
 * a run has only a few unconfirmed starts at a time.
 */
class ChildStarts {
  /** Number of child runs started or starting. */
  started = 0
  private count = 0
  private readonly waiting: (() => void)[] = []

  /** Starts a child run when it is its turn. Throws CancelledFailure if the run is cancelled first. */
  add<T>(start: () => Promise<T>): Promise<T> {
    const max = workflowInfo().parent ? MAX_OF_CHILD : MAX_OF_ROOT
    if (this.count === max) return new Promise<void>(enter => this.waiting.push(enter)).then(() => this.run(start))
    this.count++
    return this.run(start)
  }

  private async run<T>(start: () => Promise<T>): Promise<T> {
    try {
      throwIfCancelled()
      this.started++
      return await start()
    } finally {
      this.leave()
    }
  }

  /** Passes the place to the next start. */
  private leave(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.count--
  }
}

export const getChildStarts = perRun(() => new ChildStarts())
