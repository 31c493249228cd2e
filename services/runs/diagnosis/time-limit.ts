import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../../domain/shared/errors.ts'

/** The time that is left for an answer. */
export interface TimeLimit {
  /** The result of work; undefined when the time is over, or a component is unavailable. Throws other errors. */
  within<T>(work: Promise<T>): Promise<T | undefined>
}

export function createTimeLimit(ms: number): TimeLimit {
  const until = Date.now() + ms
  return {
    async within(work) {
      const stop = new AbortController()
      const msLeft = Math.max(0, until - Date.now())
      const timeout = sleep(msLeft, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
      try {
        return await Promise.race([work.catch(absentIfAway), timeout])
      } finally {
        stop.abort()
      }
    },
  }
}

function absentIfAway(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error
}
