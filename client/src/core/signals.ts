/** Creates a controller that aborts when one of the signals does. `release` unlinks the controller from the signals. */
export function linkSignals(...signals: (AbortSignal | undefined)[]): {
  controller: AbortController
  release: () => void
} {
  const controller = new AbortController()
  const listeners = signals.flatMap(signal => {
    if (!signal) return []
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    return [() => signal.removeEventListener('abort', abort)]
  })
  return { controller, release: () => listeners.forEach(remove => remove()) }
}

/** Resolves after the time, or rejects with the signal's abort reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}

const FIRST_MS = 250

/** Returns a random delay in milliseconds that grows with each attempt. Attempts are counted from 0. */
export const backOff = (attempt: number, maxMs: number): number =>
  Math.min(maxMs, FIRST_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
