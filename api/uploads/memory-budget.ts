import { Unavailable } from '../../domain/errors.ts'

/** Limits the bytes of uploads that all requests of the process hold in memory. */
export interface MemoryBudget {
  open(): Reservation
}

/** The share of one request. */
export interface Reservation {
  /** Adds bytes to the reservation. Throws Unavailable when the budget is used up. */
  reserve(bytes: number): void
  /** Returns everything that was reserved. */
  release(): void
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let reserved = 0
  return {
    open() {
      let own = 0
      return {
        reserve(bytes) {
          if (reserved + bytes > maxBytes) throw new Unavailable('Too many documents are coming in at the same time')
          reserved += bytes
          own += bytes
        },
        release() {
          reserved -= own
          own = 0
        },
      }
    },
  }
}
