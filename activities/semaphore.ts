/** Limits the number of concurrent operations; others queue. */
export interface Semaphore {
  /** Resolves with a release function once a slot is free. Throws the signal's reason when it aborts before. */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSemaphore(count: number): Semaphore {
  let free = count
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    acquire(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return Promise.resolve(release)
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(release)
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal.reason as Error)
        }
        waiting.push(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
