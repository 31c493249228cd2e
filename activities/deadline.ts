/** A caller's signal joined with a time limit. `done` must be called, or the timer lives on. */
export interface Deadline {
  signal: AbortSignal
  /** True once the time limit, not the caller, ended it. */
  expired(): boolean
  done(): void
}

export function startDeadline(ms: number, caller?: AbortSignal): Deadline {
  const limit = new AbortController()
  let expired = false
  const timer = setTimeout(() => {
    expired = !caller?.aborted
    limit.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))
  }, ms)
  return {
    signal: caller ? AbortSignal.any([caller, limit.signal]) : limit.signal,
    expired: () => expired,
    done: () => clearTimeout(timer),
  }
}

/** Settles as `work` does, or rejects at once when the signal fires, even where `work` can't be stopped. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}
