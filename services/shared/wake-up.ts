/** Lets a loop sleep until it is woken up or a maximum time elapses. */
export interface WakeUp {
  wake(): void
  /**
   * Resolves at the next wake-up, after `ms`, or when the signal aborts. Resolves immediately if a wake-up has
   * occurred since the last wait.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createWakeUp(): WakeUp {
  let isPending = false
  let resume: (() => void) | undefined

  return {
    wake() {
      isPending = true
      resume?.()
    },
    async wait(ms, signal) {
      if (!isPending && !signal.aborted) {
        const woken = Promise.withResolvers<void>()
        resume = woken.resolve
        const timer = setTimeout(woken.resolve, ms)
        signal.addEventListener('abort', resume, { once: true })
        await woken.promise
        signal.removeEventListener('abort', resume)
        clearTimeout(timer)
        resume = undefined
      }
      isPending = false
    },
  }
}
