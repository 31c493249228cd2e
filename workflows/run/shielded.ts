import { CancellationScope } from '@temporalio/workflow'

/** What a handler starts is not cancelled with the workflow: the run alone decides what stops and what is undone. */
export function shielded<A extends unknown[], R>(handle: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
  return (...args) => CancellationScope.nonCancellable(async () => handle(...args))
}

/** What is written down is written down, whatever becomes of the run. */
export const unstoppable = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work)
