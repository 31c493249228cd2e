import { Unavailable } from '../errors.ts'
import { createSemaphore } from './semaphore.ts'

/** Slots for short operations of all workspaces, which have them in turn. */
export interface Slots {
  /** Runs an operation once a slot is free. Throws Unavailable when none is within the limit. */
  use<T>(workspaceId: string, work: () => Promise<T>): Promise<T>
}

/** Creates slots of which one workspace leaves half to the others. */
export function createSlots(count: number, maxWaitMs: number): Slots {
  const semaphore = createSemaphore(count, { perGroup: Math.ceil(count / 2) })

  const wait = (workspaceId: string) =>
    semaphore.acquire(AbortSignal.timeout(maxWaitMs), workspaceId).catch((error: unknown) => {
      throw new Unavailable('Too many requests of the workspace are in progress', { cause: error })
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
