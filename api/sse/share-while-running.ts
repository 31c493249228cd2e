/** Callers who ask for the same thing while it is being fetched get the same answer. */
export function shareWhileRunning<A extends unknown[], T>(
  fetch: (...args: A) => Promise<T>,
  keyOf: (...args: A) => string,
): (...args: A) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (...args) => {
    const key = keyOf(...args)
    const shared = running.get(key) ?? fetch(...args).finally(() => running.delete(key))
    running.set(key, shared)
    return shared
  }
}
