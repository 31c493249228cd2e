import type { Logger } from 'pino'
import { createWakeUp } from './wake-up.ts'

/** Work that is repeated in rounds. */
export interface Loop {
  /** Starts the next round immediately, or right after the current round. */
  wake: () => void
  /** Runs rounds until the signal aborts. */
  run: (signal: AbortSignal) => Promise<void>
  /** Runs one round. Resolves with the milliseconds until the next round, even after a failure. */
  attempt: (signal: AbortSignal) => Promise<number>
}

/**
 * Tracks whether work is currently failing. Loops that do the same kind of work share this state, so that an outage
 * is logged only once.
 */
export interface Health {
  failed: (err: unknown) => void
  succeeded: () => void
}

interface LoopOptions {
  /** Name of the work in logs, such as `sealing the audit log`. */
  name: string
  /** Performs the due work. Resolves with the milliseconds until the next round, `idleMs` by default. */
  round: (signal: AbortSignal) => Promise<number | void>
  idleMs: number
  /** Pause after a failed round. Default: `idleMs`. */
  retryMs?: number
  health?: Health
  log: Logger
}

/** Logs the first of several consecutive failures, and the recovery. */
export function createHealth(name: string, log: Logger): Health {
  let isFailing = false
  return {
    failed: err => {
      if (!isFailing) log.warn({ err }, `${name} failed; retrying`)
      isFailing = true
    },
    succeeded: () => {
      if (isFailing) log.info(`${name} recovered`)
      isFailing = false
    },
  }
}

/** Creates a loop. Logs the first of several consecutive failures, and the recovery. */
export function createLoop({ name, round, idleMs, retryMs = idleMs, log, ...options }: LoopOptions): Loop {
  const wakeUp = createWakeUp()
  const health = options.health ?? createHealth(name, log)

  async function attempt(signal: AbortSignal): Promise<number> {
    try {
      const waitMs = await round(signal)
      health.succeeded()
      return waitMs ?? idleMs
    } catch (err) {
      if (!signal.aborted) health.failed(err)
      return retryMs
    }
  }

  return {
    wake: () => wakeUp.wake(),
    attempt,
    run: async signal => {
      while (!signal.aborted) await wakeUp.wait(await attempt(signal), signal)
    },
  }
}

/** Leases batches and processes their items until no items are left or the signal aborts. */
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
