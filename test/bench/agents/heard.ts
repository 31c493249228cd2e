import { agesIn } from '../tokens/stamp.ts'
import { arrivalIn, msBetween } from './stamps.ts'

/** What a client saw of one run. Times are in milliseconds since it asked. */
export interface Heard {
  /** The provider had the first question. */
  requested: number
  /** The first token was here. */
  first: number
  /** The last one was. */
  last: number
  /** All was over. */
  ended: number
  tokens: number
  /** From sending each token until it was here. */
  ages: number[]
}

/** Notes what comes to a client, piece by piece; begins when it is made. */
export function createHearing() {
  const began = process.hrtime.bigint()
  const now = () => msBetween(began, process.hrtime.bigint())
  const ages: number[] = []
  let requested = Number.NaN
  let first = Number.NaN
  let last = Number.NaN
  return {
    take(text: string): void {
      const heard = agesIn(text)
      if (heard.length === 0) return
      last = now()
      if (ages.length === 0) {
        first = last
        requested = arrivalIn(text, began) ?? Number.NaN
      }
      ages.push(...heard)
    },
    end: (): Heard => ({ requested, first, last, ended: now(), tokens: ages.length, ages }),
  }
}
