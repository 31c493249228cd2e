import { CancellationScope } from '@temporalio/workflow'

/** What a handler starts is not cancelled with the workflow: the run alone decides what stops and what is undone. */
export function shielded<A extends unknown[], R>(handle: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
  return (...args) => CancellationScope.nonCancellable(async () => handle(...args))
}
