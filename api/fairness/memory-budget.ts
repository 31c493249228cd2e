import { Unavailable } from '../../domain/shared/errors.ts'
import { createShares } from '../../domain/shared/fairness/shares.ts'

/** Limits the number of upload bytes that all requests to the process hold in memory. */
export interface MemoryBudget {
  open(workspaceId: string): Reservation
}

/** The memory reserved by one request. */
export interface Reservation {
  /** Adds bytes to the reservation. Throws Unavailable if the workspace currently holds too many. */
  reserve(bytes: number): void
  /** Releases the whole reservation. */
  release(): void
}

/**
 * A workspace may hold at most this multiple of the free budget. A single workspace can get two thirds of the budget;
 * several busy workspaces get less each. Part of the budget always stays free for the next workspace.
 */
const MAX_HELD_PER_FREE = 2

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const shares = createShares(maxBytes, MAX_HELD_PER_FREE)
  return {
    open(workspaceId) {
      let ownBytes = 0
      return {
        reserve(bytes) {
          if (!shares.take(workspaceId, bytes)) throw new Unavailable('Too many documents are being uploaded')
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
