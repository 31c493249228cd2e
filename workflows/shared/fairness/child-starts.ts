import { workflowInfo } from '@temporalio/workflow'
import { perRun } from '../run/per-run.ts'
import { throwIfCancelled } from '../scopes.ts'

/** Child runs that a run starts at a time. */
const MAX_OF_ROOT = 8
/** The same for a run that is itself a child: a tree has many of them. */
const MAX_OF_CHILD = 2

/**
 * Starts of child runs that Temporal has not confirmed. The server queues them, and starts of other workspaces behind
 * them, so a run begins only a few at a time.
 */
class ChildStarts {
  /** Child runs that were started, or are being started. */
  started = 0
  private count = 0
  private readonly waiting: (() => void)[] = []

  /** Starts a child run when its turn comes, at once if it can. Throws CancelledFailure when the run is cancelled before. */
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

  /** Passes the place on. */
  private leave(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.count--
  }
}

export const getChildStarts = perRun(() => new ChildStarts())
