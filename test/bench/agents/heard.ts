import { agesIn } from '../tokens/stamp.ts'
import { arrivalIn, msBetween } from './stamps.ts'

/** A client's view of one run. Times are in milliseconds since the client's request. */
export interface Heard {
  /** When the provider received the first request. */
  requested: number
  /** When the first token arrived. */
  first: number
  /** When the last token arrived. */
  last: number
  /** When the run and its stream ended. */
  ended: number
  tokens: number
  /** The delay of each token from send time to arrival. */
  ages: number[]
}

/** Records the pieces that reach a client, with times relative to the creation of the recorder. */
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
