import type { Logger } from 'pino'
import { createWakeUp } from './wake-up.ts'

/** Work that is looked for again and again. */
export interface Loop {
  /** Begins the next round now, or after the present one. */
  wake: () => void
  /** Runs rounds until the signal aborts. */
  run: (signal: AbortSignal) => Promise<void>
  /** Runs one round. Resolves with the milliseconds until the next one, also after a failure. */
  attempt: (signal: AbortSignal) => Promise<number>
}

/** Whether work fails at present. Loops of one kind of work share it, so that an outage is logged once. */
export interface Health {
  failed: (err: unknown) => void
  succeeded: () => void
}

interface LoopOptions {
  /** The work, for the log: `sealing the audit log`. */
  name: string
  /** Does the work that is due. Resolves with the milliseconds until the next round, `idleMs` by default. */
  round: (signal: AbortSignal) => Promise<number | void>
  idleMs: number
  /** The pause after a failed round. Default: `idleMs`. */
  retryMs?: number
  health?: Health
  log: Logger
}

/** Logs the first of several failures in a row, and the recovery. */
export function createHealth(name: string, log: Logger): Health {
  let isFailing = false
  return {
    failed: err => {
      if (!isFailing) log.warn({ err }, `${name} failed, will be retried`)
      isFailing = true
    },
    succeeded: () => {
      if (isFailing) log.info(`${name} recovered`)
      isFailing = false
    },
  }
}

/** Creates a loop. The first of several failures in a row is logged, and the recovery. */
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
