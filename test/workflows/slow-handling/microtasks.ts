/**
 * Returns a thenable that takes so many microtasks, far more than a run takes to handle a result. The SDK notes a stack
 * trace for each promise of a run, which takes far longer than a microtask. A chain of thenables makes no promises.
 */
export const passMicrotasks = (count = 10_000) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then(resolve: (value?: unknown) => void) {
    resolve(count > 0 ? passMicrotasks(count - 1) : undefined)
  },
})
