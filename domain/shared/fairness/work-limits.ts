/** How much work that users define is done at once: the time follows from it. */
export interface WorkLimits {
  /** Work units of the expressions of one value: 0.1 to 0.6 microseconds each. */
  units: number
  /** Values times parts of the schema of one validation: at most 20 nanoseconds each. */
  comparisons: number
  /** Steps of all patterns of one validation, characters times size of the pattern: at most 40 nanoseconds each. */
  patternSteps: number
  /** Characters of JSON of a document or a definition that is checked. */
  chars: number
  /** Bytes of a text to be read: at most 0.6 microseconds each. */
  textBytes: number
}

/** About a second: for a thread of its own. */
export const FULL_LIMITS: WorkLimits = {
  units: 2_000_000,
  comparisons: 200_000_000,
  patternSteps: 30_000_000,
  chars: Infinity,
  textBytes: Infinity,
}

/** Some milliseconds: for an event loop, on which all other requests wait. */
export const INLINE_LIMITS: WorkLimits = {
  units: 20_000,
  comparisons: 200_000,
  patternSteps: 200_000,
  chars: 16_000,
  textBytes: 6_000,
}

/** The work exceeds the limits of an event loop. It can be repeated in a thread. */
export class TooMuchInline extends Error {
  constructor() {
    super('too much work for an event loop')
    this.name = 'TooMuchInline'
  }
}

/** Throws TooMuchInline on an event loop. Elsewhere an exceeded limit is final. */
export function throwIfInline(limits: WorkLimits): void {
  if (limits === INLINE_LIMITS) throw new TooMuchInline()
}
