/**
 * Spaces what one workspace begins while other workspaces have work on the machine, the more so while it has no idle
 * processor. So a workspace that begins work without end uses what others leave, and one that is alone all there is.
 */
export interface WorkPace {
  /** Notes that a workspace has work here. */
  note(workspaceId: string): void
  /**
   * Reserves the next beginning of a workspace. Returns in how many milliseconds it may come, mostly 0; undefined, with
   * nothing reserved, where that is more than `maxMs`.
   */
  reserve(workspaceId: string): number
  reserve(workspaceId: string, maxMs: number): number | undefined
}

/** A workspace counts as having work for this long after its last. */
const PRESENT_MS = 3_000
/** Time between the starts of runs of one workspace on a busy machine: what a simple one costs on one processor, twice. */
export const BUSY_RUN_GAP_MS = 100

interface Group {
  seenAt: number
  /** When the next may begin. */
  nextAt: number
}

interface Gaps {
  /** Time between two beginnings of one workspace while the machine is busy. */
  busyMs: number
  /** The same while it is not, where many could come between two looks at the processors. */
  idleMs?: number
  /**
   * Beginnings that may come together with the first one after a pause: who begins a few things now and then is not slowed
   * down, as one who begins without end is. Default: 0.
   */
  saved?: number
}

/** @param isBusy whether the machine had no idle processor lately */
export function createWorkPace(isBusy: () => boolean, { busyMs, idleMs = 0, saved: burst = 0 }: Gaps): WorkPace {
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

  function reserve(name: string, maxMs = Infinity): number | undefined {
    const group = see(name)
    if (isAlone(name)) return 0
    const gapMs = isBusy() ? busyMs : idleMs
    if (gapMs === 0) return 0
    const at = Math.max(group.nextAt, group.seenAt - burst * gapMs)
    const waitMs = Math.max(0, Math.round(at - group.seenAt))
    if (waitMs > maxMs) return undefined
    group.nextAt = at + gapMs
    return waitMs
  }

  return { note: name => void see(name), reserve: reserve as WorkPace['reserve'] }
}
