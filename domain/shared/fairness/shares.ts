/** Divides an amount among groups, such as workspaces, so that some of it is always free for the next group. */
export interface Shares {
  /** Takes a part for a group. Returns false when the group may not hold so much at present. */
  take(group: string, amount: number): boolean
  release(group: string, amount: number): void
}

/** @param perFree how many times what it leaves free one group may hold */
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

/** The failure type of an activity that a worker refuses because its workspace holds too many. */
export const WORKSPACE_BUSY = 'WORKSPACE_BUSY'
