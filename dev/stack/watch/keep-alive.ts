import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../apps.ts'
import type { App } from '../apps.ts'
import { stillRunning } from '../entries.ts'
import { openStateDir } from '../state/state-dir.ts'
import type { Log } from '../log.ts'
import { readState } from '../state/state.ts'

const LOOK_MS = 1000
const MAX_RESTARTS = 5

/**
 * Restarts the API or a worker when it ends, until `signal` aborts. Gives up on a process after `MAX_RESTARTS`
 * restarts.
 */
export async function keepAlive(stateDir: string, apps: App[], log: Log, signal: AbortSignal): Promise<void> {
  const restarts = new Map<string, number>()
  while (!signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
    const running = stillRunning(readState(stateDir))
    for (const app of apps) {
      const times = restarts.get(app.name) ?? 0
      if (signal.aborted || running.has(app.name) || times >= MAX_RESTARTS) continue
      restarts.set(app.name, times + 1)
      log(app.name, `ended unexpectedly; restarting (${times + 1} of ${MAX_RESTARTS})`)
      await startApp(app, { stateDir: openStateDir(stateDir), log, stays: false }).catch((error: Error) =>
        log(app.name, error.message),
      )
    }
  }
}
