/** Returns a function that calls `fetch` once for concurrent calls with the same key, and shares the result. */
export function shareWhileRunning<A extends unknown[], T>(
  fetch: (...args: A) => Promise<T>,
  toKey: (...args: A) => string,
): (...args: A) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (...args) => {
    const key = toKey(...args)
    const shared = running.get(key) ?? fetch(...args).finally(() => running.delete(key))
    running.set(key, shared)
    return shared
  }
}
