import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats `check` until it no longer throws. Gives up with its last error after `seconds`, and at once when
 * `canSucceed` says that waiting is in vain.
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
      if (!canSucceed()) throw new Error('it ended while it was starting', { cause: error })
      if (Date.now() > deadline)
        throw new Error(`it was not ready within ${seconds} s: ${(error as Error).message}`, { cause: error })
    }
    await sleep(100)
  }
}
