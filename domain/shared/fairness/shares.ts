/** Divides an amount among groups, such as workspaces, so that a part is always free for the next group. */
export interface Shares {
  /** Takes a part for a group. Returns false if the group may not hold that much at the moment. */
  take(group: string, amount: number): boolean
  release(group: string, amount: number): void
}

/** @param perFree maximum amount that one group may hold, as a multiple of the remaining free amount */
export function createShares(total: number, perFree: number): Shares {
  const counts = new Map<string, number>()
  let free = total

  function add(group: string, amount: number): void {
    const sum = (counts.get(group) ?? 0) + amount
    free -= amount
    if (sum > 0) counts.set(group, sum)
    else counts.delete(group)
  }

  return {
    take(group, amount) {
      const sum = (counts.get(group) ?? 0) + amount
      if (sum > perFree * (free - amount)) return false
      add(group, amount)
      return true
    },
    release: (group, amount) => add(group, -amount),
  }
}

/** Failure type of an activity that a worker rejects because its workspace holds too many slots. */
export const WORKSPACE_BUSY = 'WORKSPACE_BUSY'
