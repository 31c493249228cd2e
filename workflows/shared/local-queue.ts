import { perRun } from './per-run.ts'
import { nonCancellable } from './scopes.ts'

/** More microtasks than a run takes to handle one result and to issue its commands. */
const MICROTASKS_PER_RESULT = 100

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
    const handOut = () => passMicrotasks(MICROTASKS_PER_RESULT)
    this.last = result.then(handOut, handOut)
    await this.last
    this.count--
    return result
  }
}

/**
 * Returns a thenable that takes that many microtasks. The SDK notes a stack trace for each promise of a run, which takes
 * far longer than a microtask; a chain of thenables makes no promises.
 */
const passMicrotasks = (count: number) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then(resolve: (value?: unknown) => void) {
    resolve(count > 0 ? passMicrotasks(count - 1) : undefined)
  },
})

export const getLocalQueue = perRun(() => new LocalQueue())
