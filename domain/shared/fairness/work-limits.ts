/** Limits for user-defined work that runs without interruption. They bound the duration of the work. */
export interface WorkLimits {
  /** Work units for the expressions of one value: 0.1 to 0.6 microseconds each. */
  units: number
  /** Values times schema parts in one validation: at most 20 nanoseconds each. */
  comparisons: number
  /** Steps of all patterns in one validation (characters times pattern size): at most 40 nanoseconds each. */
  patternSteps: number
  /** JSON characters of a document or definition to check. */
  chars: number
  /** Bytes of a text to parse: at most 0.6 microseconds each. */
  textBytes: number
}

/** Limits for work on a separate thread: about one second. */
export const FULL_LIMITS: WorkLimits = {
  units: 2_000_000,
  comparisons: 200_000_000,
  patternSteps: 30_000_000,
  chars: Infinity,
  textBytes: Infinity,
}

/** Limits for work on an event loop, where all other requests wait: a few milliseconds. */
export const INLINE_LIMITS: WorkLimits = {
  units: 20_000,
  comparisons: 200_000,
  patternSteps: 200_000,
  chars: 16_000,
  textBytes: 6_000,
}

/** The work exceeds the limits of an event loop. The caller can retry it in a thread. */
export class TooMuchInline extends Error {
  constructor() {
    super('too much work for an event loop')
    this.name = 'TooMuchInline'
  }
}

/** Throws TooMuchInline on an event loop. In a thread, exceeding a limit is final. */
export function throwIfInline(limits: WorkLimits): void {
  if (limits === INLINE_LIMITS) throw new TooMuchInline()
}
