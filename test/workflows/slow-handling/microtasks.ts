/**
 * Returns a thenable that takes this many microtasks, far more than a run needs to handle a result. The SDK records a
 * stack trace for each promise in a run, which takes far longer than a microtask. A chain of thenables creates no
 * promises.
 */
export const passMicrotasks = (count = 10_000) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then(resolve: (value?: unknown) => void) {
    resolve(count > 0 ? passMicrotasks(count - 1) : undefined)
  },
})
