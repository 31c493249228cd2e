/** Lets so many in at a time; others wait in line. */
export interface Slots {
  /** Settles when it is one's turn, with what gives the place back; throws the signal's reason when it fires before. */
  take(signal: AbortSignal): Promise<() => void>
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  const give = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return Promise.resolve(give)
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(give)
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
