/** Limits the number of concurrent operations; others queue. */
export interface Semaphore {
  /**
   * Resolves with a release function once a slot is free. Of the groups that wait, such as workspaces, the one with the
   * fewest slots is next. Throws the signal's reason when it aborts before.
   */
  acquire(signal: AbortSignal, group?: string): Promise<() => void>
  /** Number of operations of a group that wait. */
  countWaiting(group: string): number
}

interface Waiting {
  group: string
  enter: () => void
}

/** Returns how many slots one group may have so that it leaves one to the others, where there are several. */
export const allButOne = (count: number): number => Math.max(1, count - 1)

/** @param perGroup maximum number of slots of one group */
export function createSemaphore(count: number, { perGroup = count }: { perGroup?: number } = {}): Semaphore {
  /** Number of slots in use by group. */
  const used = new Map<string, number>()
  let waiting: Waiting[] = []
  let free = count

  const countUsed = (group: string) => used.get(group) ?? 0

  function take(group: string): void {
    free--
    used.set(group, countUsed(group) + 1)
  }

  function release(group: string): void {
    free++
    const left = countUsed(group) - 1
    if (left > 0) used.set(group, left)
    else used.delete(group)
    admitNext()
  }

  function admitNext(): void {
    if (free === 0) return
    const [next] = waiting
      .filter(({ group }) => countUsed(group) < perGroup)
      .sort((a, b) => countUsed(a.group) - countUsed(b.group))
    if (!next) return
    leave(next)
    next.enter()
  }

  function leave(entry: Waiting): void {
    waiting = waiting.filter(other => other !== entry)
  }

  return {
    countWaiting: group => waiting.filter(entry => entry.group === group).length,
    acquire(signal, group = '') {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const abort = () => {
          leave(entry)
          reject(signal.reason as Error)
        }
        const enter = () => {
          signal.removeEventListener('abort', abort)
          take(group)
          resolve(() => release(group))
        }
        const entry = { group, enter }
        waiting.push(entry)
        signal.addEventListener('abort', abort, { once: true })
        admitNext()
      })
    },
  }
}
