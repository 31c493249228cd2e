import { perRun } from '../run/per-run.ts'
import { nonCancellable } from '../scopes.ts'
import { untilAllHandled } from '../turns.ts'

/**
 * The local activities of a run: one at a time, and each to its end.
 *
 * A replay gets results in one activation of the workflow that came in several when the history was written: of local
 * activities that were in flight together, of a local activity and of others. It would handle them in another order, or
 * together, and issue other commands. With one local activity in flight, and its result handed out after the run has
 * handled all that came with it, the commands are the same. A cancel is not passed on: a local activity that ends while
 * its cancel is requested fails the workflow task.
 */
class LocalQueue {
  private last: Promise<unknown> = Promise.resolve()
  private count = 0

  /** Whether no local activity is in flight. */
  get isIdle(): boolean {
    return this.count === 0
  }

  /** Resolves after the last local activity that was added, when its result was handed out. It never rejects. */
  async waitForLast(): Promise<void> {
    await this.last
  }

  /** Starts a local activity after the ones before it, and returns its result. */
  async add<T>(start: () => Promise<T>): Promise<T> {
    this.count++
    const result = this.last.then(() => nonCancellable(start))
    this.last = result.then(untilAllHandled, untilAllHandled)
    await this.last
    this.count--
    return result
  }
}

export const getLocalQueue = perRun(() => new LocalQueue())
