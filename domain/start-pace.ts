/**
 * Spaces the starts of runs of one workspace while other workspaces have work on the machine, the more so while it has no
 * idle processor. So a workspace that starts runs without end uses what others leave, and one that is alone all there is.
 */
export interface StartPace {
  /** Notes that a workspace has work here. */
  note(workspaceId: string): void
  /** Reserves the next start of a workspace. Returns in how many milliseconds it may begin, mostly 0. */
  reserve(workspaceId: string): number
}

/** A workspace counts as having work for this long after its last. */
const PRESENT_MS = 3_000
/** Time between the starts of one workspace while the machine is busy: what a simple run costs on one processor, twice. */
const BUSY_GAP_MS = 100

interface Group {
  seenAt: number
  /** When the next start may begin. */
  nextAt: number
}

/**
 * @param isBusy whether the machine had no idle processor lately
 * @param idleGapMs time between the starts while it had, where many could come between two looks at the processors
 */
export function createStartPace(isBusy: () => boolean, idleGapMs = 0): StartPace {
  const groups = new Map<string, Group>()

  function see(name: string): Group {
    const seenAt = performance.now()
    const group = groups.get(name) ?? { seenAt, nextAt: seenAt }
    group.seenAt = seenAt
    groups.set(name, group)
    return group
  }

  function isAlone(name: string): boolean {
    const since = performance.now() - PRESENT_MS
    for (const [other, { seenAt, nextAt }] of groups)
      if (Math.max(seenAt, nextAt) < since) groups.delete(other)
      else if (other !== name && seenAt >= since) return false
    return true
  }

  return {
    note: name => void see(name),
    reserve(name) {
      const group = see(name)
      if (isAlone(name)) return 0
      const at = Math.max(group.nextAt, group.seenAt)
      group.nextAt = at + (isBusy() ? BUSY_GAP_MS : idleGapMs)
      return Math.round(at - group.seenAt)
    },
  }
}
