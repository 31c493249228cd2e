import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls `check` until it no longer throws. Throws the last error after `seconds`, or immediately if `canSucceed`
 * returns false.
 */
export async function untilReady(
  check: () => Promise<void>,
  seconds: number,
  canSucceed: () => boolean,
): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (!canSucceed()) throw new Error('it ended during its start', { cause: error })
      if (Date.now() > deadline)
        throw new Error(`it was not ready within ${seconds} s: ${(error as Error).message}`, { cause: error })
    }
    await sleep(100)
  }
}
