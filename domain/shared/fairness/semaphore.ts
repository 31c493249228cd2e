/** Limits the number of concurrent operations; others queue. */
export interface Semaphore {
  /**
   * Resolves with a release function once a slot is free. Among waiting groups, such as workspaces, the group with
   * the fewest slots is next. Within a group, the operation that has waited longest is next. `stepsBackMs` moves an
   * operation back in the queue by that time, so that short operations go before long ones. Long operations still get
   * their turn. Throws the signal's reason if it aborts first.
   */
  acquire(signal: AbortSignal, group?: string, stepsBackMs?: number): Promise<() => void>
  /** Returns a release function, or undefined if the operation would have to wait. */
  tryAcquire(group?: string): (() => void) | undefined
  /** Returns the number of waiting operations in a group. */
  countWaiting(group: string): number
}

interface Waiter {
  /** Effective arrival time in milliseconds. */
  cameAt: number
  enter: () => void
}

interface Group {
  usedSlots: number
  /** In the order of their turns. */
  waiting: Waiter[]
}

/**
 * Returns the maximum number of slots for one group. Leaves one slot for other groups if there is more than one slot.
 */
export const allButOne = (count: number): number => Math.max(1, count - 1)

/** @param perGroup maximum number of slots per group */
export function createSemaphore(count: number, { perGroup = count }: { perGroup?: number } = {}): Semaphore {
  /** Groups that hold slots or wait for them. */
  const groups = new Map<string, Group>()
  let free = count

  const find = (name: string): Group => groups.get(name) ?? { usedSlots: 0, waiting: [] }

  function open(name: string): Group {
    const group = find(name)
    groups.set(name, group)
    return group
  }

  function closeIfIdle(name: string, { usedSlots, waiting }: Group): void {
    if (usedSlots === 0 && waiting.length === 0) groups.delete(name)
  }

  const isOpen = ({ usedSlots }: Group) => free > 0 && usedSlots < perGroup

  function take(name: string, group: Group): () => void {
    free--
    group.usedSlots++
    return () => {
      free++
      group.usedSlots--
      closeIfIdle(name, group)
      admitNext()
    }
  }

  function admitNext(): void {
    let next: Group | undefined
    for (const group of groups.values())
      if (group.waiting.length > 0 && isOpen(group) && (!next || isBefore(group, next))) next = group
    next?.waiting.shift()?.enter()
  }

  return {
    countWaiting: name => groups.get(name)?.waiting.length ?? 0,

    tryAcquire(name = '') {
      const group = find(name)
      if (!isOpen(group) || group.waiting.length > 0) return undefined
      groups.set(name, group)
      return take(name, group)
    },

    acquire(signal, name = '', stepsBackMs = 0) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const group = open(name)
        const abort = () => {
          group.waiting.splice(group.waiting.indexOf(entry), 1)
          closeIfIdle(name, group)
          reject(signal.reason as Error)
        }
        const enter = () => {
          signal.removeEventListener('abort', abort)
          resolve(take(name, group))
        }
        const entry = { cameAt: performance.now() + stepsBackMs, enter }
        insert(group.waiting, entry)
        signal.addEventListener('abort', abort, { once: true })
        admitNext()
      })
    },
  }
}

/** Returns whether the first waiter of one group comes before the first waiter of another. */
const isBefore = (a: Group, b: Group): boolean =>
  a.usedSlots < b.usedSlots || (a.usedSlots === b.usedSlots && cameFirst(a) < cameFirst(b))

const cameFirst = ({ waiting: [first] }: Group): number => first?.cameAt ?? Infinity

function insert(waiting: Waiter[], entry: Waiter): void {
  const before = waiting.findLastIndex(({ cameAt }) => cameAt <= entry.cameAt)
  waiting.splice(before + 1, 0, entry)
}
