import type { Logger } from 'pino'
import { createWakeUp } from './wake-up.ts'

/** Work that is looked for again and again. */
export interface Loop {
  /** Begins the next round now, or after the present one. */
  wake: () => void
  /** Runs rounds until the signal aborts. */
  run: (signal: AbortSignal) => Promise<void>
}

interface LoopOptions {
  /** The work, for the log: `sealing the audit log`. */
  name: string
  /** Does the work that is due. Resolves with the milliseconds until the next round, `idleMs` by default. */
  round: (signal: AbortSignal) => Promise<number | void>
  idleMs: number
  /** The pause after a failed round. Default: `idleMs`. */
  retryMs?: number
  log: Logger
}

/** Creates a loop. The first of several failures in a row is logged, and the recovery. */
export function createLoop({ name, round, idleMs, retryMs = idleMs, log }: LoopOptions): Loop {
  const wakeUp = createWakeUp()
  let isFailing = false

  async function runRound(signal: AbortSignal): Promise<number> {
    try {
      const waitMs = await round(signal)
      if (isFailing) log.info(`${name} recovered`)
      isFailing = false
      return waitMs ?? idleMs
    } catch (err) {
      if (!isFailing && !signal.aborted) log.warn({ err }, `${name} failed, will be retried`)
      isFailing = true
      return retryMs
    }
  }

  return {
    wake: () => wakeUp.wake(),
    run: async signal => {
      while (!signal.aborted) await wakeUp.wait(await runRound(signal), signal)
    },
  }
}

/** Leases batches and handles their items until none is left or the signal aborts. */
export async function drain<Item>(
  signal: AbortSignal,
  lease: () => Promise<Item[]>,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const items = await lease()
    if (items.length === 0) return
    await Promise.all(items.map(handle))
  }
}
