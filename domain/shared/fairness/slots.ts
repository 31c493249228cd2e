import { Unavailable } from '../errors.ts'
import { createSemaphore } from './semaphore.ts'

/** Slots for short operations, shared fairly among all workspaces. */
export interface Slots {
  /** Runs an operation once a slot is free. Throws Unavailable if none becomes free within the limit. */
  use<T>(workspaceId: string, work: () => Promise<T>): Promise<T>
}

/** Creates slots. One workspace can use at most half of them. */
export function createSlots(count: number, maxWaitMs: number): Slots {
  const semaphore = createSemaphore(count, { perGroup: Math.ceil(count / 2) })

  const wait = (workspaceId: string) =>
    semaphore.acquire(AbortSignal.timeout(maxWaitMs), workspaceId).catch((error: unknown) => {
      throw new Unavailable('The workspace has too many requests in progress', { cause: error })
    })

  return {
    async use(workspaceId, work) {
      const release = semaphore.tryAcquire(workspaceId) ?? (await wait(workspaceId))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
