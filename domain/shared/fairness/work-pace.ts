/**
 * Spaces the work that one workspace starts while other workspaces have work on the machine. The spacing is larger
 * while no processor is idle. A workspace that starts work continuously gets only the capacity that others leave. A
 * workspace that is alone gets the full capacity.
 */
export interface WorkPace {
  /** Records that a workspace has work on this machine. */
  note(workspaceId: string): void
  /**
   * Reserves a workspace's next start. Returns the delay in milliseconds, usually 0. Returns undefined, without
   * reserving, if the delay exceeds `maxMs`.
   */
  reserve(workspaceId: string): number
  reserve(workspaceId: string, maxMs: number): number | undefined
}

/** How long a workspace counts as having work after its last activity. */
const PRESENT_MS = 3_000
/** Time between the starts of one workspace's runs on a busy machine: twice the processor time of a simple run. */
export const BUSY_RUN_GAP_MS = 100

interface Group {
  seenAt: number
  /** Time of the next possible start. */
  nextAt: number
}

interface Gaps {
  /** Time between two starts of one workspace while the machine is busy. */
  busyMs: number
  /** Time between two starts while the machine is not busy. It limits bursts between two load checks. */
  idleMs?: number
  /**
   * Number of starts that may immediately follow the first start after a pause. Occasional work is therefore not
   * delayed, unlike continuous work. Default: 0.
   */
  saved?: number
}

/** @param isBusy whether the machine recently had no idle processor */
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
