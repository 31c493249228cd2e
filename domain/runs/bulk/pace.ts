/** Spaces the operations of a bulk job. */
export interface Pace {
  /** Reserves the next slot and returns the number of milliseconds until it starts. */
  reserve(now: number): number
}

/**
 * Spaces operations evenly. No second has more than `perSecond` starts, and no period has more than its share plus
 * one.
 * @param startedAt the latest possible start of the last operation, in milliseconds
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
