// Only this file creates scopes: a lint rule forbids it in other workflow code.
// oxlint-disable-next-line eslint/no-restricted-imports
import { CancellationScope, CancelledFailure } from '@temporalio/workflow'

/** Work in progress with its own cancellation scope. */
export interface Task {
  cancel(): void
}

export type TaskOutcome<T> = { value: T } | { error: unknown }

/**
 * Starts work in its own cancellation scope and passes its outcome to `onEnd`, which runs outside that scope. The
 * handler is attached immediately, because an unhandled rejection fails every attempt of the workflow task.
 */
export function startTask<T>(work: () => Promise<T>, onEnd: (outcome: TaskOutcome<T>) => void): Task {
  const scope = new CancellationScope()
  void scope.run(work).then(
    value => onEnd({ value }),
    (error: unknown) => onEnd({ error }),
  )
  return { cancel: () => scope.cancel() }
}

/** Runs work in a scope that the work itself can cancel. */
export function cancellable<T>(work: (cancel: () => void) => Promise<T>): Promise<T> {
  const scope = new CancellationScope()
  return scope.run(() => work(() => scope.cancel()))
}

/** Runs work that continues when the workflow is cancelled. */
export const nonCancellable = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work)

/** Throws CancelledFailure if the caller's scope is cancelled. */
export function throwIfCancelled(): void {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('Cancelled')
}

/** Wraps a message handler so that cancelling the workflow does not stop it. */
export function nonCancellableHandler<A extends unknown[], R>(
  handle: (...args: A) => R | Promise<R>,
): (...args: A) => Promise<R> {
  return (...args) => nonCancellable(async () => handle(...args))
}

/** Calls `handle` when cancellation of the workflow is requested. */
export function onCancelRequest(handle: (reason: unknown) => Promise<void>): void {
  CancellationScope.current().cancelRequested.catch(handle)
}
