/** Spaces what a bulk job does. */
export interface Pace {
  /** Returns in how many milliseconds the next may begin, and counts it as beginning then. */
  reserve(now: number): number
}

/**
 * Spaces beginnings evenly, so that no second has more of them than `perSecond`, and a period of any length at most one
 * more than its part.
 * @param startedAt when the last one may have begun, in milliseconds
 */
export function createPace(perSecond: number, startedAt: number): Pace {
  const gapMs = 1_000 / perSecond
  let last = startedAt
  return {
    reserve(now) {
      last = Math.max(now, last + gapMs)
      return last - now
    },
  }
}
