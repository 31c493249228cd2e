import { perRun } from '../run/per-run.ts'
import { nonCancellable } from '../scopes.ts'
import { untilAllHandled } from '../turns.ts'

/**
 * Executes a run's local activities one at a time, each until it ends.
 *
 * A replay may deliver results in one workflow activation that originally arrived in several, for example from
 * concurrent local activities, or from a local activity and something else. The run would then handle them in another
 * order, or together, and issue other commands. To issue the same commands, only one local activity is in flight. Its
 * result is handed out after the run has handled everything that came with it. Cancellations are not passed on,
 * because a local activity that ends while its cancellation is requested fails the workflow task.
 */
class LocalQueue {
  private last: Promise<unknown> = Promise.resolve()
  private count = 0

  /** Whether no local activity is in flight. */
  get isIdle(): boolean {
    return this.count === 0
  }

  /** Resolves after the result of the last added local activity was handed out. Never rejects. */
  async waitForLast(): Promise<void> {
    await this.last
  }

  /** Starts a local activity after the previous ones and returns its result. */
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
