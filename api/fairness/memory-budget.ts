import { Unavailable } from '../../domain/shared/errors.ts'
import { createShares } from '../../domain/shared/fairness/shares.ts'

/** Limits the bytes of uploads that all requests of the process hold in memory. */
export interface MemoryBudget {
  open(workspaceId: string): Reservation
}

/** The bytes of one request. */
export interface Reservation {
  /** Adds bytes to the reservation. Throws Unavailable when the workspace may not hold so many at present. */
  reserve(bytes: number): void
  /** Returns everything that was reserved. */
  release(): void
}

/**
 * A workspace may hold this many times what it leaves free: alone two thirds of the budget, beside others that do the same
 * less. So a part of the budget is always free for the next workspace.
 */
const MAX_HELD_PER_FREE = 2

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const shares = createShares(maxBytes, MAX_HELD_PER_FREE)
  return {
    open(workspaceId) {
      let ownBytes = 0
      return {
        reserve(bytes) {
          if (!shares.take(workspaceId, bytes))
            throw new Unavailable('Too many documents are coming in at the same time')
          ownBytes += bytes
        },
        release() {
          shares.release(workspaceId, ownBytes)
          ownBytes = 0
        },
      }
    },
  }
}
